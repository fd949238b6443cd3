SELECT
    SESSION_WINDOW(`ts`, '6 minutes').`end` - INTERVAL '0.001' SECOND AS `rt`,
    SUM(`v`) AS `EXPR$1`
FROM `spark_catalog`.`programs`.`events`
GROUP BY SESSION_WINDOW(`ts`, '6 minutes')
