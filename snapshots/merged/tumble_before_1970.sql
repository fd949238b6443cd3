SELECT WINDOW(`at`, '7 days').`start` AS `ws`, SUM(`n`) AS `s`
FROM `spark_catalog`.`programs`.`readings`
GROUP BY WINDOW(`at`, '7 days')
