SELECT `x` AS `y`, `y` AS `x`, SUM(`x`) AS `a`, GROUPING(`x`) AS `gx`, GROUPING(`y`) AS `gy`
FROM `spark_catalog`.`programs`.`left_bag`
GROUP BY GROUPING SETS ((`x`), (`y`))
