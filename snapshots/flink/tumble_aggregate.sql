SELECT `we`, `s`
FROM (
    SELECT `w`.`end` AS `we`, `s`
    FROM (
        SELECT `k`, `w`, `EXPR$0` + 1 AS `s`
        FROM (
            SELECT
                `k`,
                CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
                SUM(CAST(`v` AS BIGINT)) AS `EXPR$0`
            FROM TABLE(
                TUMBLE((
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM `spark_catalog`.`programs`.`events`
                ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
            )
            GROUP BY `k`, `window_start`, `window_end`
        )
    )
)
WHERE `s` > 5
