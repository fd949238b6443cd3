SELECT `x` + 1 AS `next`, `y` AS `f1`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` = 2
