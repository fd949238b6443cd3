SELECT WINDOW(`ts`, '10 minutes').`start` AS `s`, COUNT(1) AS `c`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`ts`, '10 minutes').`start`
