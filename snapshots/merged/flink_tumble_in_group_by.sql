SELECT
    WINDOW(`ts`, '30 minutes').`start` AS `s`,
    WINDOW(`ts`, '30 minutes').`end` AS `e`,
    WINDOW(`ts`, '30 minutes').`end` - INTERVAL '0.001' SECOND AS `r`,
    `k`,
    SUM(`v`) AS `total`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`ts`, '30 minutes'), `k`
