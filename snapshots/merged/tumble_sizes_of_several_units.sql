SELECT WINDOW(`ts`, '30 minutes 500 milliseconds').`start` AS `ws`, SUM(`v`) AS `s`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`ts`, '30 minutes 500 milliseconds')
