WITH `lines_computed` AS (
    SELECT `line_order`, `sku`, `quantity`, 1 AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`lines`
)
SELECT SUM(`quantity`) AS `q`
FROM `lines_computed`
GROUP BY `EXPR$0`
