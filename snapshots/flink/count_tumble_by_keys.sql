SELECT `upper`, `EXPR$0` AS `s`, `EXPR$1` AS `n`
FROM (
    SELECT `upper`, `w`, `EXPR$0`, `EXPR$1`
    FROM (
        SELECT
            UPPER(`k`) AS `upper`,
            `EXPR$0` - 1 - (`EXPR$0` - 1) % 2 AS `w`,
            SUM(CAST(`v` AS BIGINT)) AS `EXPR$0`,
            COUNT(1) AS `EXPR$1`
        FROM (
            SELECT
                `e`,
                `k`,
                `v`,
                `ts`,
                `instant`,
                `day`,
                CAST(ROW_NUMBER() OVER (PARTITION BY UPPER(`k`) ORDER BY `instant`) AS INT) AS `EXPR$0`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM (
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM `spark_catalog`.`programs`.`events`
                )
                WHERE `instant` IS NOT NULL
            )
        )
        GROUP BY UPPER(`k`), `EXPR$0` - 1 - (`EXPR$0` - 1) % 2
    )
    WHERE `EXPR$1` = CAST(2 AS BIGINT)
)
