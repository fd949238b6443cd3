SELECT `window_start`, `k`, `EXPR$0` AS `n`
FROM (
    SELECT `window_start`, `window_end`, `k`, COUNT(1) AS `EXPR$0`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `window_start`, `window_end`, `window_time`
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
                MAX(`ts`) OVER (
                    PARTITION BY `k`, `session_0`
                ) + INTERVAL '6' MINUTE - INTERVAL '0.001' SECOND(2, 3) AS `window_time`
            FROM (
                SELECT
                    `e`,
                    `k`,
                    `v`,
                    `ts`,
                    `instant`,
                    `day`,
                    SUM(CAST(`session_0` AS BIGINT)) OVER (PARTITION BY `k` ORDER BY `ts`) AS `session_0`
                FROM (
                    SELECT
                        `e`,
                        `k`,
                        `v`,
                        `ts`,
                        `instant`,
                        `day`,
                        CASE
                            WHEN `ts` > LAG(`ts`) OVER (
                                PARTITION BY `k`
                                ORDER BY `ts`
                            ) + INTERVAL '6' MINUTE THEN 1
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
        WHERE `v` < 4
    )
    GROUP BY GROUPING SETS ((`window_start`, `window_end`, `k`), (`window_start`, `window_end`))
)
