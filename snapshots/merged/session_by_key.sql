SELECT
    `k`,
    SESSION_WINDOW(`ts`, '6 minutes').`start` AS `ws`,
    SESSION_WINDOW(`ts`, '6 minutes').`end` AS `we`,
    SUM(`v`) AS `s`
FROM `spark_catalog`.`programs`.`events`
GROUP BY SESSION_WINDOW(`ts`, '6 minutes'), `k`
