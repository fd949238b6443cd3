SELECT
    (
        SELECT `size`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM (
                SELECT `product`, `price`, `tags`, `attributes`, `size`
                FROM `spark_catalog`.`programs`.`products`
            )
            WHERE `product` = 'pen'
        )
    ).`width` AS `w`,
    (
        SELECT `tags`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM (
                SELECT `product`, `price`, `tags`, `attributes`, `size`
                FROM `spark_catalog`.`programs`.`products`
            )
            WHERE `product` = 'pen'
        )
    )[1] AS `tag`,
    CAST((
        SELECT `price`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM (
                SELECT `product`, `price`, `tags`, `attributes`, `size`
                FROM `spark_catalog`.`programs`.`products`
            )
            WHERE `product` = 'pen'
        )
    ) AS DECIMAL(4, 1)) AS `price`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `y` = 'b'
)
