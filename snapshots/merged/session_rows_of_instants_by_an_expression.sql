WITH `events_windowed` AS (
    SELECT
        `e`,
        `k`,
        `v`,
        `ts`,
        `instant`,
        `day`,
        CASE
            WHEN `instant` > TIMESTAMP_MICROS(UNIX_MICROS(LAG(`instant`) OVER (PARTITION BY `v` % 2 ORDER BY `instant`)) + 172800000000L) THEN 1
            ELSE 0
        END AS `session_0`
    FROM `spark_catalog`.`programs`.`events`
    WHERE `v` < 4
        AND `instant` IS NOT NULL
),
`events_windowed_2` AS (
    SELECT
        `e`,
        `k`,
        `v`,
        `ts`,
        `instant`,
        `day`,
        SUM(`session_0`) OVER (PARTITION BY `v` % 2 ORDER BY `instant`) AS `session_0`
    FROM `events_windowed`
)
SELECT
    `v`,
    TIMESTAMP_MICROS(UNIX_MICROS(MAX(`instant`) OVER (PARTITION BY `v` % 2, `session_0`)) + 172800000000L) AS `window_end`
FROM `events_windowed_2`
