SELECT SESSION_WINDOW(`instant`, '6 minutes').`start` AS `ws`, SUM(`v`) AS `s`
FROM `spark_catalog`.`programs`.`events`
GROUP BY SESSION_WINDOW(`instant`, '6 minutes')
