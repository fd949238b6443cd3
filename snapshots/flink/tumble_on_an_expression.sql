SELECT `k`, `ws`, `s`
FROM (
    SELECT `k`, `w`.`start` AS `ws`, `EXPR$1` AS `s`
    FROM (
        SELECT
            `k`,
            CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
            SUM(CAST(`v` AS BIGINT)) AS `EXPR$1`
        FROM TABLE(
            TUMBLE((
                SELECT
                    `e`,
                    `k`,
                    `v`,
                    `ts`,
                    `instant`,
                    `day`,
                    CAST(`day` AS TIMESTAMP(6)) + INTERVAL '2' HOUR AS `window_key_0`
                FROM (
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM `spark_catalog`.`programs`.`events`
                )
            ), DESCRIPTOR(`window_key_0`), INTERVAL '1' HOUR)
        )
        GROUP BY `k`, `window_start`, `window_end`
    )
)
WHERE `k` = 'a'
