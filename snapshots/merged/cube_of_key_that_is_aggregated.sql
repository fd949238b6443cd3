SELECT `x`, SUM(`x`) AS `s`, GROUPING(`x`) + 1 AS `g`
FROM `spark_catalog`.`programs`.`left_bag`
GROUP BY ROLLUP(`x`)
