SELECT COUNT(DISTINCT `x`) AS `c`, SUM(DISTINCT `x`) AS `s`, AVG(DISTINCT `x`) AS `a`
FROM `spark_catalog`.`programs`.`left_bag`
