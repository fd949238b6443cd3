SELECT `x` AS `select`, `y` AS `order by`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` = 2
