SELECT `k`, `v`, `window_start`, `window_end`, `window_time`
FROM (
    SELECT
        `e`,
        `k`,
        `v`,
        `ts`,
        `instant`,
        `day`,
        MIN(`ts`) OVER (PARTITION BY `k`, `session_0`) AS `window_start`,
        MAX(`ts`) OVER (PARTITION BY `k`, `session_0`) + INTERVAL '6' MINUTE AS `window_end`,
        MAX(`ts`) OVER (PARTITION BY `k`, `session_0`) + INTERVAL '6' MINUTE - INTERVAL '0.001' SECOND AS `window_time`
    FROM (
        SELECT
            `e`,
            `k`,
            `v`,
            `ts`,
            `instant`,
            `day`,
            SUM(`session_0`) OVER (PARTITION BY `k` ORDER BY `ts`) AS `session_0`
        FROM (
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
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM (
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM `spark_catalog`.`programs`.`events`
                )
                WHERE `ts` IS NOT NULL
            )
        )
    )
)
