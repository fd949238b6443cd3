SELECT SESSION_WINDOW(`ts`, '5 minutes') AS `w`, COUNT(1) AS `n`
FROM `spark_catalog`.`programs`.`events`
WHERE `e` IN (1, 3)
GROUP BY SESSION_WINDOW(`ts`, '5 minutes')
