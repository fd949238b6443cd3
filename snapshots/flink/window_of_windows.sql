SELECT `w`.`start` AS `ws`, `EXPR$1` AS `most`, `EXPR$2` AS `n`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
        MAX(`s`) AS `EXPR$1`,
        COUNT(1) AS `EXPR$2`
    FROM TABLE(
        TUMBLE((
            SELECT `w`.`end` - INTERVAL '0.001' SECOND(2, 3) AS `rt`, `k`, `EXPR$1` AS `s`
            FROM (
                SELECT
                    CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
                    `k`,
                    SUM(CAST(`v` AS BIGINT)) AS `EXPR$1`
                FROM TABLE(
                    TUMBLE((
                        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                        FROM `spark_catalog`.`programs`.`events`
                    ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
                )
                GROUP BY `window_start`, `window_end`, `k`
            )
        ), DESCRIPTOR(`rt`), INTERVAL '30' MINUTE)
    )
    GROUP BY `window_start`, `window_end`
)
