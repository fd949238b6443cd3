WITH `events_windowed` AS (
    SELECT
        `e`,
        `k`,
        `v`,
        `ts`,
        `instant`,
        `day`,
        CASE WHEN `ts` > LAG(`ts`) OVER (ORDER BY `ts`) + INTERVAL '5' MINUTE THEN 1 ELSE 0 END AS `session_0`
    FROM `spark_catalog`.`programs`.`events`
    WHERE `e` IN (1, 3)
        AND `ts` IS NOT NULL
),
`events_windowed_2` AS (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, SUM(`session_0`) OVER (ORDER BY `ts`) AS `session_0`
    FROM `events_windowed`
)
SELECT
    `v`,
    MIN(`ts`) OVER (PARTITION BY `session_0`) AS `window_start`,
    MAX(`ts`) OVER (PARTITION BY `session_0`) + INTERVAL '5' MINUTE AS `window_end`,
    MAX(`ts`) OVER (PARTITION BY `session_0`) + INTERVAL '5' MINUTE - INTERVAL '0.001' SECOND AS `window_time`
FROM `events_windowed_2`
