SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
ORDER BY `x` * -1, `y`
