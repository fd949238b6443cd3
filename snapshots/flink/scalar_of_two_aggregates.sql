SELECT
    `product`,
    (
        SELECT `EXPR$0` - `EXPR$1` AS `_c0`
        FROM (
            SELECT MAX(`quantity`) AS `EXPR$0`, MIN(`quantity`) AS `EXPR$1`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM (
                    SELECT `line_order`, `sku`, `quantity`
                    FROM `spark_catalog`.`programs`.`lines`
                )
                WHERE `sku` = `outer`.`product`
            )
        )
    ) AS `span`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`
    FROM `spark_catalog`.`programs`.`products`
) AS `outer`
