SELECT `x`, `y`, COUNT(1) OVER (PARTITION BY `x`) AS `n`
FROM `spark_catalog`.`programs`.`left_bag`
