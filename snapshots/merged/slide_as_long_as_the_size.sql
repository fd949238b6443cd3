SELECT WINDOW(`ts`, '10 minutes').`start` AS `ws`, SUM(`v`) AS `s`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`ts`, '10 minutes')
