WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '1 hour') AS `V`, SUM(`v`) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '1 hour')
)
SELECT `V`.`start` AS `ws`, `EXPR$1` AS `s`
FROM `events_grouped`
