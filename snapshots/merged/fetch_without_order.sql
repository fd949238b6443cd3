SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
LIMIT 0
