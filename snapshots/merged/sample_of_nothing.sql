SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
TABLESAMPLE (0 PERCENT)
