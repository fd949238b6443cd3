SELECT `EXPR$0`.`start` AS `s`, `EXPR$0`.`end` AS `e`, `k`, `EXPR$3` AS `n`
FROM (
    SELECT `k`, `EXPR$0`, `EXPR$3`
    FROM (
        SELECT
            `k`,
            CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `EXPR$0`,
            COUNT(1) AS `EXPR$3`
        FROM TABLE(
            SESSION((
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            ) PARTITION BY (`k`), DESCRIPTOR(`ts`), INTERVAL '6' MINUTE)
        )
        GROUP BY `k`, `window_start`, `window_end`
    )
    WHERE `EXPR$3` > 1
)
