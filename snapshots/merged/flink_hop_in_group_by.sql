SELECT WINDOW(`ts`, '1 hour', '30 minutes').`start` AS `s`, SUM(`v`) AS `total`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`ts`, '1 hour', '30 minutes')
