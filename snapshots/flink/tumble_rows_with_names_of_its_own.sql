SELECT
    `window_start`,
    `Window_End`,
    `window`,
    `a``b`,
    `window_0`.`start` AS `window_start0`,
    `window_0`.`end` AS `window_end0`,
    `window_0`.`end` - INTERVAL '0.001' SECOND(2, 3) AS `window_time`
FROM (
    SELECT
        `window_start_0` AS `window_start`,
        `Window_End_0` AS `Window_End`,
        `window`,
        `window_key_0` AS `a``b`,
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6) NOT NULL, `end` TIMESTAMP(6) NOT NULL>) AS `window_0`
    FROM TABLE(
        TUMBLE((
            SELECT
                `window_start` AS `window_start_0`,
                `Window_End` AS `Window_End_0`,
                `window`,
                `a``b`,
                `a``b` AS `window_key_0`
            FROM (
                SELECT `v` AS `window_start`, `e` AS `Window_End`, `k` AS `window`, `ts` AS `a``b`
                FROM (
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM `spark_catalog`.`programs`.`events`
                )
            )
        ), DESCRIPTOR(`window_key_0`), INTERVAL '1' DAY)
    )
)
