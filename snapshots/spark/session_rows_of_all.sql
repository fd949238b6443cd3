SELECT `v`, `window_start`, `window_end`, `window_time`
FROM (
    SELECT
        `v`,
        `session_0`,
        MIN(`session_0`) OVER (PARTITION BY `session_0_0`) AS `window_start`,
        MAX(`session_0`) OVER (PARTITION BY `session_0_0`) + INTERVAL '7' MINUTE AS `window_end`,
        MAX(`session_0`) OVER (
            PARTITION BY `session_0_0`
        ) + INTERVAL '7' MINUTE - INTERVAL '0.001' SECOND AS `window_time`
    FROM (
        SELECT `v`, `session_0`, SUM(`session_0_0`) OVER (ORDER BY `session_0`) AS `session_0_0`
        FROM (
            SELECT
                `v`,
                `session_0`,
                CASE
                    WHEN `session_0` > LAG(`session_0`) OVER (
                        ORDER BY `session_0`
                    ) + INTERVAL '7' MINUTE THEN 1
                    ELSE 0
                END AS `session_0_0`
            FROM (
                SELECT `v`, `session_0`
                FROM (
                    SELECT `v`, `ts` AS `session_0`
                    FROM (
                        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                        FROM `spark_catalog`.`programs`.`events`
                    )
                )
                WHERE `session_0` IS NOT NULL
            )
        )
    )
)
