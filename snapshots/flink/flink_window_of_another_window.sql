SELECT `EXPR$0`.`start` AS `window_start`, `EXPR$2` AS `total`, `EXPR$3` AS `n`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `EXPR$0`,
        SUM(`total`) AS `EXPR$2`,
        COUNT(1) AS `EXPR$3`
    FROM TABLE(
        TUMBLE((
            SELECT `EXPR$0`.`end` - INTERVAL '0.001' SECOND(2, 3) AS `rowtime`, `EXPR$2` AS `total`
            FROM (
                SELECT
                    CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `EXPR$0`,
                    SUM(CAST(`v` AS BIGINT)) AS `EXPR$2`
                FROM TABLE(
                    TUMBLE((
                        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                        FROM `spark_catalog`.`programs`.`events`
                    ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
                )
                GROUP BY `window_start`, `window_end`
            )
        ), DESCRIPTOR(`rowtime`), INTERVAL '1' HOUR)
    )
    GROUP BY `window_start`, `window_end`
)
