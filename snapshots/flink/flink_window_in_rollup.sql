SELECT
    `EXPR$0`.`start` AS `window_start`,
    `EXPR$0`.`end` AS `window_end`,
    `k`,
    `EXPR$3` AS `total`,
    `EXPR$4` AS `g`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `EXPR$0`,
        `k`,
        SUM(CAST(`v` AS BIGINT)) AS `EXPR$3`,
        GROUPING(`k`) AS `EXPR$4`
    FROM TABLE(
        TUMBLE((
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        ), DESCRIPTOR(`ts`), INTERVAL '30' MINUTE)
    )
    GROUP BY `window_start`, `window_end`, ROLLUP(`k`)
)
