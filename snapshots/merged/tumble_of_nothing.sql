SELECT WINDOW(CAST(`b` AS TIMESTAMP_NTZ), '10 minutes').`start` AS `ws`, COUNT(1) AS `n`
FROM `spark_catalog`.`programs`.`nothing`
GROUP BY WINDOW(CAST(`b` AS TIMESTAMP_NTZ), '10 minutes')
