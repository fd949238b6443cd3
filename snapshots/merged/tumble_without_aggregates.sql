WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes') AS `w`, `k`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes'), `k`
)
SELECT `w`.`start` AS `ws`
FROM `events_grouped`
