SELECT `WINDOW_START`, `window`.`end` AS `end`, `EXPR$1` AS `window_end`, `EXPR$2` AS `start`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `window`,
        `WINDOW_START_0` AS `WINDOW_START`,
        SUM(CAST(`window_end_0_0` AS BIGINT)) AS `EXPR$1`,
        SUM(CAST(`window_end_0` AS BIGINT)) AS `EXPR$2`
    FROM TABLE(
        TUMBLE((
            SELECT
                `window_time` AS `window_time_0`,
                `WINDOW_START` AS `WINDOW_START_0`,
                `window_end_0`,
                `window_end` AS `window_end_0_0`,
                `window_time` AS `window_key_0`
            FROM (
                SELECT `ts` AS `window_time`, `k` AS `WINDOW_START`, `v` AS `window_end_0`, `e` AS `window_end`
                FROM (
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM `spark_catalog`.`programs`.`events`
                )
            )
        ), DESCRIPTOR(`window_key_0`), INTERVAL '1' HOUR)
    )
    GROUP BY `window_start`, `window_end`, `WINDOW_START_0`
)
