SELECT `EXPR$0`.`start` AS `window_start`, `k`, `day`, `EXPR$2` AS `n`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `EXPR$0`,
        `k`,
        `day`,
        COUNT(1) AS `EXPR$2`
    FROM TABLE(
        TUMBLE((
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        ), DESCRIPTOR(`ts`), INTERVAL '30' MINUTE)
    )
    GROUP BY `window_start`, `window_end`, GROUPING SETS ((`k`), (`day`), ())
)
