SELECT WINDOW(`ts`, '1 hour').`start` AS `ws`, SUM(`v`) AS `s`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`ts`, '1 hour')
