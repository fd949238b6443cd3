SELECT `hour`.`start` AS `h`, `EXPR$1` AS `s`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `hour`,
        SUM(`s`) AS `EXPR$1`
    FROM TABLE(
        HOP((
            SELECT `w`, `s`, `w`.`start` AS `window_key_0`
            FROM (
                SELECT
                    CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
                    SUM(CAST(`v` AS BIGINT)) AS `s`
                FROM TABLE(
                    TUMBLE((
                        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                        FROM `spark_catalog`.`programs`.`events`
                    ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
                )
                GROUP BY `window_start`, `window_end`
            )
        ), DESCRIPTOR(`window_key_0`), INTERVAL '30' MINUTE, INTERVAL '1' HOUR)
    )
    GROUP BY `window_start`, `window_end`
)
