SELECT `y` AS `z`, GROUPING(`y`) AS `x`, MAX(`x`) AS `y`
FROM `spark_catalog`.`programs`.`left_bag`
GROUP BY ROLLUP(`y`)
