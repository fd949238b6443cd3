SELECT `k`, MAX(WINDOW(`ts`, '10 minutes').`start`) AS `latest`, COUNT(1) AS `c`
FROM `spark_catalog`.`programs`.`events`
GROUP BY `k`
