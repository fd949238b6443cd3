SELECT `e`, `key`
FROM (
    SELECT `EXPR$0` AS `e`, `EXPR$1` AS `key`
    FROM (
        SELECT `k`, `EXPR$0`, `EXPR$1`, `EXPR$2`
        FROM (
            SELECT
                `EXPR$0` - 1 - (`EXPR$0` - 1) % 1 AS `k`,
                MAX(`e`) AS `EXPR$0`,
                MAX(`k`) AS `EXPR$1`,
                COUNT(1) AS `EXPR$2`
            FROM (
                SELECT
                    `e`,
                    `k`,
                    `v`,
                    `ts`,
                    `instant`,
                    `day`,
                    CAST(ROW_NUMBER() OVER (ORDER BY `day`) AS INT) AS `EXPR$0`
                FROM (
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM (
                        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                        FROM `spark_catalog`.`programs`.`events`
                    )
                    WHERE `day` IS NOT NULL
                )
            )
            GROUP BY `EXPR$0` - 1 - (`EXPR$0` - 1) % 1
        )
        WHERE `EXPR$2` = CAST(1 AS BIGINT)
    )
)
WHERE `e` < 4
