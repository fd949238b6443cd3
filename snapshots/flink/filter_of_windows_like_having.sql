SELECT `k`, `we`, `n`
FROM (
    SELECT `k`, `w`.`end` AS `we`, `EXPR$1` AS `n`
    FROM (
        SELECT
            CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
            `k`,
            COUNT(1) AS `EXPR$1`
        FROM TABLE(
            TUMBLE((
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
        )
        GROUP BY `window_start`, `window_end`, `k`
    )
)
WHERE `n` > 1
