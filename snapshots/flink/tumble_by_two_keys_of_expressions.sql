SELECT `upper`, `EXPR$0`, `EXPR$1`, `w`.`end` AS `EXPR$2`
FROM (
    SELECT
        UPPER(`k`) AS `upper`,
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
        `v` % 2 AS `EXPR$0`,
        COUNT(1) AS `EXPR$1`
    FROM TABLE(
        TUMBLE((
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
    )
    GROUP BY UPPER(`k`), `window_start`, `window_end`, `v` % 2
)
