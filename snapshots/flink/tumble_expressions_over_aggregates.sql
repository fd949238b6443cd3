SELECT
    CAST(`EXPR$0` AS DOUBLE) / CAST(`EXPR$1` AS DOUBLE) AS `mean`,
    CAST(EXTRACT(HOUR FROM `w`.`start`) AS INT) AS `hour`,
    `EXPR$3` - `EXPR$4` AS `spread`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
        SUM(CAST(`v` AS BIGINT)) AS `EXPR$0`,
        COUNT(`v`) AS `EXPR$1`,
        MAX(`v`) AS `EXPR$3`,
        MIN(`v`) AS `EXPR$4`
    FROM TABLE(
        TUMBLE((
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        ), DESCRIPTOR(`ts`), INTERVAL '1' HOUR)
    )
    GROUP BY `window_start`, `window_end`
)
