SELECT `x` + 1 AS `_c0_0`, `x` AS `_c0`, `x` AS `_C2`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` = 2
