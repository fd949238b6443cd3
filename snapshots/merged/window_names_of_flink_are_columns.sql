SELECT
    `k` AS `WINDOW_START`,
    WINDOW(`ts`, '1 hour').`end` AS `end`,
    SUM(`e`) AS `window_end`,
    SUM(`v`) AS `start`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`ts`, '1 hour'), `k`
