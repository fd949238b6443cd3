SELECT `w`.`end` - INTERVAL '0.001' SECOND(2, 3) AS `rt`, `EXPR$1`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
        SUM(CAST(`v` AS BIGINT)) AS `EXPR$1`
    FROM TABLE(
        SESSION((
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        ), DESCRIPTOR(`ts`), INTERVAL '6' MINUTE)
    )
    GROUP BY `window_start`, `window_end`
)
