SELECT `k`, `s`
FROM (
    SELECT `k`, `s`, `ws` AS `sort_key_0`
    FROM (
        SELECT `ws`, `k`, `s`
        FROM (
            SELECT `w`.`start` AS `ws`, `k`, `EXPR$1` AS `s`
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
        )
        ORDER BY `ws`, `k`
    )
) AS `sorted`
ORDER BY `sort_key_0`, `k`
