WITH `events_grouped` AS (
    SELECT
        `k` AS `window_start`,
        WINDOW(`ts`, '10 minutes') AS `k`,
        SUM(`v`) AS `window_end`,
        COUNT(1) AS `v`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY `k`, WINDOW(`ts`, '10 minutes')
)
SELECT `window_start`, `k`.`start` AS `s`, `window_end`, `v`
FROM `events_grouped`
