SELECT WINDOW(`ts`, '10 minutes').`end` AS `we`, SUM(`v`) + 1 AS `s`
FROM `spark_catalog`.`programs`.`events`
GROUP BY `k`, WINDOW(`ts`, '10 minutes')
HAVING SUM(`v`) + 1 > 5
