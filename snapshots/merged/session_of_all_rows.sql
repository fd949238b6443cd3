WITH `events_grouped` AS (
    SELECT SESSION_WINDOW(`ts`, '6 minutes') AS `w`, SUM(`v`) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY SESSION_WINDOW(`ts`, '6 minutes')
)
SELECT `w`.`end` - INTERVAL '0.001' SECOND AS `rt`, `EXPR$1`
FROM `events_grouped`
