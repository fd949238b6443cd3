SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE 1 > 2
