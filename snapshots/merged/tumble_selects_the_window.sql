WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes') AS `w`, MAX(`v`) AS `m`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes')
)
SELECT *
FROM `events_grouped`
WHERE `w`.`start` >= CAST('2024-01-01 10:30:00' AS TIMESTAMP_NTZ)
