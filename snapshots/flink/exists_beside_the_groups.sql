SELECT
    `sku`,
    `EXPR$0` AS `n`,
    EXISTS (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM (
                SELECT `product`, `price`, `tags`, `attributes`, `size`
                FROM `spark_catalog`.`programs`.`products`
            )
            WHERE `product` = `outer`.`sku`
        )
        WHERE `price` IS NOT NULL
    ) AS `e`
FROM (
    SELECT `sku`, COUNT(1) AS `EXPR$0`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    GROUP BY `sku`
) AS `outer`
