WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes') AS `w`, SUM(`v`) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes')
)
SELECT `w`.`start` AS `ws`, `EXPR$1` AS `s`
FROM `events_grouped`
