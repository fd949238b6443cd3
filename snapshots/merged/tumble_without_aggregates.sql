SELECT WINDOW(`ts`, '10 minutes').`start` AS `ws`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`ts`, '10 minutes'), `k`
