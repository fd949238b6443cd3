SELECT
    `v`,
    `window`.`start` AS `window_start`,
    `window`.`end` AS `window_end`,
    `window`.`end` - INTERVAL '0.001' SECOND(2, 3) AS `window_time`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `window`
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
            ), DESCRIPTOR(`ts`), INTERVAL '1' HOUR, INTERVAL '2' MINUTE)
        )
    )
    WHERE `v` < 7
)
