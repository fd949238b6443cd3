SELECT `x`, `y`, `x` + 1 AS `z`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` + 1 = 3
