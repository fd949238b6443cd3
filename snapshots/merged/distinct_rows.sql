SELECT DISTINCT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
