SELECT
    CONCAT('k', `k`) AS `kk`,
    SESSION_WINDOW(CAST(`day` AS TIMESTAMP_NTZ), '24 hours').`end` AS `we`,
    COUNT(DISTINCT `e`) AS `n`
FROM `spark_catalog`.`programs`.`events`
GROUP BY CONCAT('k', `k`), SESSION_WINDOW(CAST(`day` AS TIMESTAMP_NTZ), '24 hours')
