SELECT `k`, WINDOW(`ts`, '10 minutes').`end` AS `we`, COUNT(1) AS `n`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`ts`, '10 minutes'), `k`
HAVING COUNT(1) > 1
