WITH `events_windowed` AS (
    SELECT
        `v`,
        `ts` AS `session_0`,
        CASE WHEN `ts` > LAG(`ts`) OVER (ORDER BY `ts`) + INTERVAL '7' MINUTE THEN 1 ELSE 0 END AS `session_0_0`
    FROM `spark_catalog`.`programs`.`events`
    WHERE `ts` IS NOT NULL
),
`events_windowed_2` AS (
    SELECT `v`, `session_0`, SUM(`session_0_0`) OVER (ORDER BY `session_0`) AS `session_0_0`
    FROM `events_windowed`
)
SELECT
    `v`,
    MIN(`session_0`) OVER (PARTITION BY `session_0_0`) AS `window_start`,
    MAX(`session_0`) OVER (PARTITION BY `session_0_0`) + INTERVAL '7' MINUTE AS `window_end`,
    MAX(`session_0`) OVER (PARTITION BY `session_0_0`) + INTERVAL '7' MINUTE - INTERVAL '0.001' SECOND AS `window_time`
FROM `events_windowed_2`
