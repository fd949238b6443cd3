WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes') AS `w`, `k`, SUM(`v`) AS `EXPR$2`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes'), `k`
)
SELECT `k`, `w`.`start` AS `EXPR$0`, `w`.`end` - INTERVAL '0.001' SECOND AS `rt`, `EXPR$2`
FROM `events_grouped`
