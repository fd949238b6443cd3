WITH `events_grouped` AS (
    SELECT WINDOW(`day`, '7 days') AS `w`, SUM(`v`) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`day`, '7 days')
)
SELECT `w`.`start` AS `ws`, `EXPR$1` AS `s`
FROM `events_grouped`
