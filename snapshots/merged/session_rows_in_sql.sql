WITH `events_windowed` AS (
    SELECT
        `e`,
        `k`,
        `v`,
        `ts`,
        `instant`,
        `day`,
        CASE
            WHEN `ts` > LAG(`ts`) OVER (PARTITION BY `k` ORDER BY `ts`) + INTERVAL '6' MINUTE THEN 1
            ELSE 0
        END AS `session_0`
    FROM `spark_catalog`.`programs`.`events`
    WHERE `ts` IS NOT NULL
),
`events_windowed_2` AS (
    SELECT
        `e`,
        `k`,
        `v`,
        `ts`,
        `instant`,
        `day`,
        SUM(`session_0`) OVER (PARTITION BY `k` ORDER BY `ts`) AS `session_0`
    FROM `events_windowed`
)
SELECT
    `k`,
    `v`,
    MIN(`ts`) OVER (PARTITION BY `k`, `session_0`) AS `window_start`,
    MAX(`ts`) OVER (PARTITION BY `k`, `session_0`) + INTERVAL '6' MINUTE AS `window_end`,
    MAX(`ts`) OVER (PARTITION BY `k`, `session_0`) + INTERVAL '6' MINUTE - INTERVAL '0.001' SECOND AS `window_time`
FROM `events_windowed_2`
