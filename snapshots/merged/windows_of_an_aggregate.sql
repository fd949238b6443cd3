WITH `events_by_k` AS (
    SELECT `k`, MAX(`ts`) AS `latest`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY `k`
)
SELECT `k`, WINDOW(`latest`, '10 minutes').`start` AS `s`
FROM `events_by_k`
