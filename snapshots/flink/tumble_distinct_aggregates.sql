SELECT `EXPR$0` AS `keys`, `EXPR$1` AS `rests`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
        COUNT(DISTINCT `k`) AS `EXPR$0`,
        SUM(DISTINCT CAST(`v` % 3 AS BIGINT)) AS `EXPR$1`
    FROM TABLE(
        TUMBLE((
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        ), DESCRIPTOR(`ts`), INTERVAL '1' DAY)
    )
    GROUP BY `window_start`, `window_end`
)
