WITH `events_grouped` AS (
    SELECT
        `k`,
        WINDOW(CAST(`day` AS TIMESTAMP_NTZ) + INTERVAL '2' HOUR, '1 hour') AS `w`,
        SUM(`v`) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY `k`, WINDOW(CAST(`day` AS TIMESTAMP_NTZ) + INTERVAL '2' HOUR, '1 hour')
)
SELECT `k`, `w`.`start` AS `ws`, `EXPR$1` AS `s`
FROM `events_grouped`
WHERE `k` = 'a'
