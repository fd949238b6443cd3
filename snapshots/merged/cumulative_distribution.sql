SELECT `x`, CUME_DIST() OVER (ORDER BY `x`) AS `share`
FROM `spark_catalog`.`programs`.`left_bag`
