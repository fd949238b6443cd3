SELECT
    `k`,
    WINDOW(`ts`, '10 minutes', '5 minutes').`start` AS `ws`,
    WINDOW(`ts`, '10 minutes', '5 minutes').`end` AS `we`,
    SUM(`v`) AS `s`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`ts`, '10 minutes', '5 minutes'), `k`
