SELECT
    `k`,
    WINDOW(`ts`, '10 minutes').`start` AS `EXPR$0`,
    WINDOW(`ts`, '10 minutes').`end` - INTERVAL '0.001' SECOND AS `rt`,
    SUM(`v`) AS `EXPR$2`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`ts`, '10 minutes'), `k`
