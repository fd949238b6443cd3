SELECT `v`, `window_start`, `window_end`, `window_time`
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
            HOP((
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM (
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM `spark_catalog`.`programs`.`events`
                )
                WHERE `v` IN (2, 3, 4)
            ), DESCRIPTOR(`ts`), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)
        )
    )
)
