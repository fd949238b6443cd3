SELECT WINDOW(`ts`, '10 minutes', '4 minutes') AS `w`, SUM(`e`) AS `s`
FROM `spark_catalog`.`programs`.`events`
WHERE `e` = 6
GROUP BY WINDOW(`ts`, '10 minutes', '4 minutes')
