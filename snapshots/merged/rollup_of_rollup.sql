WITH `lines_by_sku` AS (
    SELECT `sku`, SUM(`quantity`) AS `s`
    FROM `spark_catalog`.`programs`.`lines`
    GROUP BY ROLLUP(`sku`)
)
SELECT `s`, COUNT(`sku`) AS `n`
FROM `lines_by_sku`
GROUP BY ROLLUP(`s`)
