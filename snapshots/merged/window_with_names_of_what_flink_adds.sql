SELECT
    `k` AS `window_start`,
    WINDOW(`ts`, '10 minutes').`start` AS `s`,
    SUM(`v`) AS `window_end`,
    COUNT(1) AS `v`
FROM `spark_catalog`.`programs`.`events`
GROUP BY `k`, WINDOW(`ts`, '10 minutes')
