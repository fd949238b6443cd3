SELECT
    `EXPR$0`.`start` AS `window_start`,
    `EXPR$0`.`end` AS `window_end`,
    `EXPR$0`.`end` - INTERVAL '0.001' SECOND(2, 3) AS `window_time`,
    `k`,
    `EXPR$4` AS `n`
FROM (
    SELECT `EXPR$0`, `k`, `EXPR$4`
    FROM (
        SELECT
            CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `EXPR$0`,
            `k`,
            COUNT(1) AS `EXPR$4`
        FROM TABLE(
            SESSION((
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            ) PARTITION BY (`k`), DESCRIPTOR(`ts`), INTERVAL '6' MINUTE)
        )
        GROUP BY `window_start`, `window_end`, `k`
    )
    WHERE `EXPR$4` > 1
)
