SELECT `sku`, `known`
FROM (
    SELECT
        `sku`,
        CASE WHEN `sku` IN (
            SELECT `product`
            FROM (
                SELECT `product`, `price`, `tags`, `attributes`, `size`
                FROM `spark_catalog`.`programs`.`products`
            )
        ) THEN 1 ELSE 0 END AS `known`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
)
WHERE `sku` <> 'pen'
