SELECT
    WINDOW(`instant`, '30 minutes').`start` AS `ws`,
    WINDOW(`instant`, '30 minutes').`end` - INTERVAL '0.001' SECOND AS `rt`,
    SUM(`v`) AS `s`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`instant`, '30 minutes')
