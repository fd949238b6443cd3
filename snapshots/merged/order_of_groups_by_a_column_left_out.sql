SELECT `y`, SUM(`x`) AS `total`
FROM `spark_catalog`.`programs`.`left_bag`
GROUP BY `y`
ORDER BY `total` + 1 DESC, `y`
