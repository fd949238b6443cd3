WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '30 minutes 500 milliseconds') AS `w`, SUM(`v`) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '30 minutes 500 milliseconds')
)
SELECT `w`.`start` AS `ws`, `EXPR$1` AS `s`
FROM `events_grouped`
