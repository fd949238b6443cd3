SELECT
    `EXPR$0`.`start` AS `s`,
    `EXPR$0`.`end` AS `e`,
    `EXPR$0`.`end` - INTERVAL '0.001' SECOND(2, 3) AS `r`,
    `k`,
    `EXPR$4` AS `total`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `EXPR$0`,
        `k`,
        SUM(CAST(`v` AS BIGINT)) AS `EXPR$4`
    FROM TABLE(
        TUMBLE((
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        ), DESCRIPTOR(`ts`), INTERVAL '30' MINUTE)
    )
    GROUP BY `window_start`, `window_end`, `k`
)
