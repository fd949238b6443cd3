WITH `lines_by_sku` AS (
    SELECT `sku`, GROUPING(`sku`) AS `EXPR$0`, SUM(`quantity`) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`lines`
    GROUP BY ROLLUP(`sku`)
)
SELECT `sku`, RANK() OVER (PARTITION BY `EXPR$0` ORDER BY `EXPR$1` DESC) AS `place`
FROM `lines_by_sku`
