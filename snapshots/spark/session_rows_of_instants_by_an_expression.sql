SELECT `v`, `window_end`
FROM (
    SELECT
        `e`,
        `k`,
        `v`,
        `ts`,
        `instant`,
        `day`,
        MIN(`instant`) OVER (PARTITION BY `v` % 2, `session_0`) AS `window_start`,
        TIMESTAMP_MICROS(UNIX_MICROS(MAX(`instant`) OVER (PARTITION BY `v` % 2, `session_0`)) + 172800000000L) AS `window_end`,
        TIMESTAMP_MICROS(UNIX_MICROS(MAX(`instant`) OVER (PARTITION BY `v` % 2, `session_0`)) + 172800000000L) - INTERVAL '0.001' SECOND AS `window_time`
    FROM (
        SELECT
            `e`,
            `k`,
            `v`,
            `ts`,
            `instant`,
            `day`,
            SUM(`session_0`) OVER (PARTITION BY `v` % 2 ORDER BY `instant`) AS `session_0`
        FROM (
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
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM (
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM (
                        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                        FROM `spark_catalog`.`programs`.`events`
                    )
                    WHERE `v` < 4
                )
                WHERE `instant` IS NOT NULL
            )
        )
    )
)
