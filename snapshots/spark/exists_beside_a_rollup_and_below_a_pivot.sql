SELECT `sku`, `n`
FROM (
    SELECT `sku`, `n`
    FROM (
        SELECT `sku`, SUM(`quantity`) AS `n`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        GROUP BY ROLLUP(`sku`)
    ) AS `outer`
    WHERE EXISTS (
        SELECT MAX(`price`) AS `EXPR$0`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM (
                SELECT `product`, `price`, `tags`, `attributes`, `size`
                FROM `spark_catalog`.`programs`.`products`
            )
            WHERE `product` = `outer`.`sku`
        )
    )
)
WHERE `n` > 5
