SELECT `EXPR$0` AS `s`
FROM (
    SELECT `w`, `EXPR$0`, `EXPR$1`
    FROM (
        SELECT `EXPR$0` - 1 - (`EXPR$0` - 1) % 3 AS `w`, SUM(`v`) AS `EXPR$0`, COUNT(1) AS `EXPR$1`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `EXPR$0`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, ROW_NUMBER() OVER (ORDER BY `ts`) AS `EXPR$0`
                FROM (
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM (
                        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                        FROM `spark_catalog`.`programs`.`events`
                    )
                    WHERE `ts` IS NOT NULL
                )
            )
            WHERE (`EXPR$0` - 1) % 3 < 2
        )
        GROUP BY `EXPR$0` - 1 - (`EXPR$0` - 1) % 3
    )
    WHERE `EXPR$1` = 2L
)
