SELECT `x`, `y`, `x` - LAG(`x`, 1, 0) OVER (ORDER BY `x`, `y`) AS `step`
FROM `spark_catalog`.`programs`.`left_bag`
