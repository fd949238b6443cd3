SELECT
    `k`,
    WINDOW(CAST(`day` AS TIMESTAMP_NTZ) + INTERVAL '2' HOUR, '1 hour').`start` AS `ws`,
    SUM(`v`) AS `s`
FROM `spark_catalog`.`programs`.`events`
GROUP BY `k`, WINDOW(CAST(`day` AS TIMESTAMP_NTZ) + INTERVAL '2' HOUR, '1 hour')
HAVING `k` = 'a'
