WITH `events_by_k` AS (
    SELECT `k`, MAX(`ts`) AS `latest`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY `k`
)
SELECT `k`
FROM `events_by_k`
WHERE WINDOW(`latest`, '1 hour').`start` = TIMESTAMP_NTZ '2024-01-01 10:00:00'
