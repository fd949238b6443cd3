SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
SORT BY `y` DESC, `x` NULLS LAST
