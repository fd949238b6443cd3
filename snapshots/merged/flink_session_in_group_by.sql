SELECT
    SESSION_WINDOW(`ts`, '6 minutes').`start` AS `s`,
    SESSION_WINDOW(`ts`, '6 minutes').`end` AS `e`,
    `k`,
    COUNT(1) AS `n`
FROM `spark_catalog`.`programs`.`events`
GROUP BY `k`, SESSION_WINDOW(`ts`, '6 minutes')
HAVING COUNT(1) > 1
