SELECT `x` + 1 + 2 AS `p`, `x` + 1 + 2 AS `q`, COUNT(1) AS `n`
FROM `spark_catalog`.`programs`.`left_bag`
GROUP BY `x` + 1, `x`
