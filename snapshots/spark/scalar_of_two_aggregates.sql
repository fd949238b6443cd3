SELECT
    `product`,
    (
        SELECT MAX(`quantity`) - MIN(`quantity`) AS `_c0`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM `spark_catalog`.`programs`.`lines`
            )
            WHERE `sku` = `outer`.`product`
        )
    ) AS `span`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`
    FROM `spark_catalog`.`programs`.`products`
) AS `outer`
