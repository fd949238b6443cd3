SELECT `s`, COUNT(`sku`) AS `n`
FROM (
    SELECT `sku`, SUM(`quantity`) AS `s`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    GROUP BY ROLLUP(`sku`)
)
GROUP BY ROLLUP(`s`)
