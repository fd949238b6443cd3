SELECT `k`, APPROX_COUNT_DISTINCT(`v`) AS `n`
FROM `spark_catalog`.`programs`.`events`
GROUP BY `k`
