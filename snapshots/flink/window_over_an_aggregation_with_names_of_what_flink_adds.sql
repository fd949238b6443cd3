SELECT `EXPR$0` AS `s`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
        SUM(`window_time_0`) AS `EXPR$0`
    FROM TABLE(
        TUMBLE((
            SELECT
                `window_start` AS `window_start_0`,
                `window_time` AS `window_time_0`,
                `window_start` AS `window_key_0`
            FROM (
                SELECT `ts` AS `window_start`, SUM(CAST(`v` AS BIGINT)) AS `window_time`
                FROM (
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM `spark_catalog`.`programs`.`events`
                )
                GROUP BY `ts`
            )
        ), DESCRIPTOR(`window_key_0`), INTERVAL '10' MINUTE)
    )
    GROUP BY `window_start`, `window_end`
)
