SELECT
    SESSION_WINDOW(`ts`, '6 minutes').`start` AS `window_start`,
    SESSION_WINDOW(`ts`, '6 minutes').`end` AS `window_end`,
    SESSION_WINDOW(`ts`, '6 minutes').`end` - INTERVAL '0.001' SECOND AS `window_time`,
    `k`,
    COUNT(1) AS `n`
FROM `spark_catalog`.`programs`.`events`
GROUP BY SESSION_WINDOW(`ts`, '6 minutes'), `k`
HAVING COUNT(1) > 1
