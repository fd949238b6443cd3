SELECT `x`, UPPER(`y`) AS `y`, `x` * 10 AS `ten`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` = 2
