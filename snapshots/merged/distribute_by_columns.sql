SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
DISTRIBUTE BY `y`, `x`
