SELECT `v`, `window_start`, `window_end`, `window_start0`, `window_end0`, `window_time0`
FROM (
    SELECT
        `v`,
        `ts`,
        `window_start`,
        `window_end`,
        `window_time`,
        `window_start0`,
        `window_end0`,
        `window_time0`
    FROM (
        SELECT
            `v`,
            `ts`,
            `window_start`,
            `window_end`,
            `window_time`,
            `window`.`start` AS `window_start0`,
            `window`.`end` AS `window_end0`,
            `window`.`end` - INTERVAL '0.001' SECOND(2, 3) AS `window_time0`
        FROM (
            SELECT
                `v`,
                `ts`,
                `window_start_0` AS `window_start`,
                `window_end_0` AS `window_end`,
                `window_key_0` AS `window_time`,
                CAST(ROW(`window_start`, `window_end`) AS ROW<
                    `start` TIMESTAMP(6) NOT NULL,
                    `end` TIMESTAMP(6) NOT NULL
                >) AS `window`
            FROM TABLE(
                TUMBLE((
                    SELECT
                        `v`,
                        `ts`,
                        `window_start` AS `window_start_0`,
                        `window_end` AS `window_end_0`,
                        `window_time` AS `window_time_0`,
                        `window_time` AS `window_key_0`
                    FROM (
                        SELECT
                            `v`,
                            `ts`,
                            `window`.`start` AS `window_start`,
                            `window`.`end` AS `window_end`,
                            `window`.`end` - INTERVAL '0.001' SECOND(2, 3) AS `window_time`
                        FROM (
                            SELECT
                                `v`,
                                `ts`,
                                CAST(ROW(`window_start`, `window_end`) AS ROW<
                                    `start` TIMESTAMP(6) NOT NULL,
                                    `end` TIMESTAMP(6) NOT NULL
                                >) AS `window`
                            FROM TABLE(
                                TUMBLE((
                                    SELECT `v`, `ts`
                                    FROM (
                                        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                                        FROM `spark_catalog`.`programs`.`events`
                                    )
                                ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
                            )
                        )
                    )
                ), DESCRIPTOR(`window_key_0`), INTERVAL '1' HOUR)
            )
        )
    )
    WHERE `v` > 4
)
