SELECT `y`, `x`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` = 2
