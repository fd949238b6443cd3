SELECT `v`, `b_v` AS `w`, `window_start`
FROM (
    SELECT
        `e`,
        `k`,
        `v`,
        `ts`,
        `instant`,
        `day`,
        `window_start`,
        `window_end`,
        `window_time`,
        `b_e`,
        `b_k`,
        `b_v`,
        `b_ts`,
        `b_instant`,
        `b_day`,
        `b_window_start`,
        `b_window_end`,
        `b_window_time`
    FROM (
        SELECT
            `e`,
            `k`,
            `v`,
            `ts`,
            `instant`,
            `day`,
            `window`.`start` AS `window_start`,
            `window`.`end` AS `window_end`,
            `window`.`end` - INTERVAL '0.001' SECOND(2, 3) AS `window_time`
        FROM (
            SELECT
                `e`,
                `k`,
                `v`,
                `ts`,
                `instant`,
                `day`,
                CAST(ROW(`window_start`, `window_end`) AS ROW<
                    `start` TIMESTAMP(6) NOT NULL,
                    `end` TIMESTAMP(6) NOT NULL
                >) AS `window`
            FROM TABLE(
                TUMBLE((
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM `spark_catalog`.`programs`.`events`
                ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
            )
        )
    )
    INNER JOIN (
        SELECT
            `e` AS `b_e`,
            `k` AS `b_k`,
            `v` AS `b_v`,
            `ts` AS `b_ts`,
            `instant` AS `b_instant`,
            `day` AS `b_day`,
            `window_start` AS `b_window_start`,
            `window_end` AS `b_window_end`,
            `window_time` AS `b_window_time`
        FROM (
            SELECT
                `e`,
                `k`,
                `v`,
                `ts`,
                `instant`,
                `day`,
                `window`.`start` AS `window_start`,
                `window`.`end` AS `window_end`,
                `window`.`end` - INTERVAL '0.001' SECOND(2, 3) AS `window_time`
            FROM (
                SELECT
                    `e`,
                    `k`,
                    `v`,
                    `ts`,
                    `instant`,
                    `day`,
                    CAST(ROW(`window_start`, `window_end`) AS ROW<
                        `start` TIMESTAMP(6) NOT NULL,
                        `end` TIMESTAMP(6) NOT NULL
                    >) AS `window`
                FROM TABLE(
                    TUMBLE((
                        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                        FROM `spark_catalog`.`programs`.`events`
                    ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
                )
            )
        )
    )
    ON `window_start` = `b_window_start` AND `window_end` = `b_window_end` AND `v` < `b_v`
)
