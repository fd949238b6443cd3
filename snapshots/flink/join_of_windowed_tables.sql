SELECT `ws_a`, `s_a`, `ws_b`, `s_b`
FROM (
    SELECT `w`.`start` AS `ws_a`, `EXPR$1` AS `s_a`
    FROM (
        SELECT
            CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
            SUM(CAST(`v` AS BIGINT)) AS `EXPR$1`
        FROM TABLE(
            TUMBLE((
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM (
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM `spark_catalog`.`programs`.`events`
                )
                WHERE `k` = 'a'
            ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
        )
        GROUP BY `window_start`, `window_end`
    )
)
INNER JOIN (
    SELECT `w`.`start` AS `ws_b`, `EXPR$1` AS `s_b`
    FROM (
        SELECT
            CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
            SUM(CAST(`v` AS BIGINT)) AS `EXPR$1`
        FROM TABLE(
            TUMBLE((
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM (
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM `spark_catalog`.`programs`.`events`
                )
                WHERE `k` = 'b'
            ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
        )
        GROUP BY `window_start`, `window_end`
    )
)
ON `ws_a` = `ws_b`
