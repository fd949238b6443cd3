SELECT `end`.`end` AS `until`, `EXPR$0` AS `greatest`, `EXPR$1` AS `s`
FROM (
    SELECT `end_0` AS `end`, MAX(`end`) AS `EXPR$0`, SUM(CAST(`window_start` AS BIGINT)) AS `EXPR$1`
    FROM (
        SELECT
            `end`,
            `window_start_0` AS `window_start`,
            `window_key_0_0` AS `window_key_0`,
            CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6) NOT NULL>) AS `end_0`
        FROM TABLE(
            CUMULATE((
                SELECT
                    `end`,
                    `window_start` AS `window_start_0`,
                    `window_key_0` AS `window_key_0_0`,
                    `window_key_0` - INTERVAL '1' HOUR AS `window_key_0_1`
                FROM (
                    SELECT `k` AS `end`, `v` AS `window_start`, `ts` AS `window_key_0`
                    FROM (
                        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                        FROM `spark_catalog`.`programs`.`events`
                    )
                )
            ), DESCRIPTOR(`window_key_0_1`), INTERVAL '30' MINUTE, INTERVAL '1' HOUR)
        )
    )
    GROUP BY `end_0`
)
