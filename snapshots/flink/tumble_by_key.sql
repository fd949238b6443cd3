SELECT `k`, `w`.`start` AS `EXPR$0`, `w`.`end` - INTERVAL '0.001' SECOND(2, 3) AS `rt`, `EXPR$2`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
        `k`,
        SUM(CAST(`v` AS BIGINT)) AS `EXPR$2`
    FROM TABLE(
        TUMBLE((
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
    )
    GROUP BY `window_start`, `window_end`, `k`
)
