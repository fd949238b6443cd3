WITH `lines_grouped` AS (
    SELECT SUM(`quantity`) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`lines`
)
SELECT *, `EXPR$0` AS `_c1`, `EXPR$0` AS `third`
FROM `lines_grouped`
