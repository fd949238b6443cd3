SELECT CONCAT(`y`, `y`) AS `_c0`, NAMED_STRUCT('f0', 1, 'f1', 2) AS `r`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` = 2
