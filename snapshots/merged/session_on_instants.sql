WITH `events_grouped` AS (
    SELECT SESSION_WINDOW(`instant`, '6 minutes') AS `w`, SUM(`v`) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY SESSION_WINDOW(`instant`, '6 minutes')
)
SELECT `w`.`start` AS `ws`, `EXPR$1` AS `s`
FROM `events_grouped`
