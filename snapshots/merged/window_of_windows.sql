WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes').`end` - INTERVAL '0.001' SECOND AS `rt`, `k`, SUM(`v`) AS `s`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes'), `k`
)
SELECT WINDOW(`rt`, '30 minutes').`start` AS `ws`, MAX(`s`) AS `most`, COUNT(1) AS `n`
FROM `events_grouped`
GROUP BY WINDOW(`rt`, '30 minutes')
