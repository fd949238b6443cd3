SELECT `y` AS `c``d`, `x` AS `a b`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` = 2
