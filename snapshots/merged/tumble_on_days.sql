SELECT WINDOW(`day`, '7 days').`start` AS `ws`, SUM(`v`) AS `s`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`day`, '7 days')
