SELECT COUNT(DISTINCT `k`) AS `keys`, SUM(DISTINCT `v` % 3) AS `rests`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`ts`, '1 day')
