SELECT `x` AS `y`, `y` AS `x`, COUNT(`x`) AS `n`
FROM `spark_catalog`.`programs`.`left_bag`
GROUP BY `x`, `y`
