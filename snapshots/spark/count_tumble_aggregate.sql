SELECT `s` + 1 AS `_c0`, `k`
FROM (
    SELECT `k`, `EXPR$0` AS `s`
    FROM (
        SELECT `w`, `k`, `EXPR$0`, `EXPR$1`
        FROM (
            SELECT `EXPR$0` - 1 - (`EXPR$0` - 1) % 2 AS `w`, `k`, SUM(`v`) AS `EXPR$0`, COUNT(1) AS `EXPR$1`
            FROM (
                SELECT
                    `e`,
                    `k`,
                    `v`,
                    `ts`,
                    `instant`,
                    `day`,
                    ROW_NUMBER() OVER (PARTITION BY `k` ORDER BY `ts`) AS `EXPR$0`
                FROM (
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM (
                        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                        FROM `spark_catalog`.`programs`.`events`
                    )
                    WHERE `ts` IS NOT NULL
                )
            )
            GROUP BY `EXPR$0` - 1 - (`EXPR$0` - 1) % 2, `k`
        )
        WHERE `EXPR$1` = 2L
    )
)
