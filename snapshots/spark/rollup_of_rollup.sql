SELECT `s`, `EXPR$0` AS `n`
FROM (
    SELECT `s`, COUNT(`sku`) AS `EXPR$0`
    FROM (
        SELECT `sku`, `EXPR$0` AS `s`
        FROM (
            SELECT `sku`, SUM(`quantity`) AS `EXPR$0`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM `spark_catalog`.`programs`.`lines`
            )
            GROUP BY ROLLUP(`sku`)
        )
    )
    GROUP BY ROLLUP(`s`)
)
