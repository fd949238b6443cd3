SELECT
    WINDOW(`ts`, '10 minutes', '5 minutes').`start` AS `ws`,
    SUM(`v`) FILTER (WHERE `k` = 'b') AS `b`,
    COUNT(`e`) AS `n`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`ts`, '10 minutes', '5 minutes')
HAVING SUM(`v`) FILTER (WHERE `k` = 'b') IS NOT NULL
