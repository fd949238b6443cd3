WITH `products_filtered` AS (
    SELECT `product`, `price`, `tags`, `attributes`, `size`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    WHERE `product` = 'pen'
)
SELECT
    (
        SELECT `size`
        FROM `products_filtered`
    ).`width` AS `w`,
    TRY_ELEMENT_AT((
        SELECT `tags`
        FROM `products_filtered`
    ), 1) AS `tag`,
    CAST((
        SELECT `price`
        FROM `products_filtered`
    ) AS DECIMAL(4, 1)) AS `price`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `y` = 'b'
)
