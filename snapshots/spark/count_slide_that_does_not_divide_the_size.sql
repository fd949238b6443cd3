SELECT `EXPR$0` AS `s`, `EXPR$1` AS `n`
FROM (
    SELECT `w`, `EXPR$0`, `EXPR$1`, `EXPR$2`
    FROM (
        SELECT
            `EXPR$0` - 1 - (`EXPR$0` - 1) % 2 - `EXPR$1` AS `w`,
            SUM(`v`) AS `EXPR$0`,
            COUNT(DISTINCT `e`) AS `EXPR$1`,
            COUNT(1) AS `EXPR$2`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `EXPR$0`, `EXPR$1`
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
            INNER JOIN (
                SELECT `EXPR$1`
                FROM VALUES
                    (0),
                    (2)
                AS `values`(`EXPR$1`)
            )
            ON (`EXPR$0` - 1) % 2 + `EXPR$1` < 3 AND `EXPR$0` - 1 - (`EXPR$0` - 1) % 2 - `EXPR$1` >= 0
        )
        GROUP BY `EXPR$0` - 1 - (`EXPR$0` - 1) % 2 - `EXPR$1`
    )
    WHERE `EXPR$2` = 3L
)
