SELECT `EXPR$0`, `EXPR$1` AS `since`
FROM (
    SELECT `w`, `EXPR$0`, `EXPR$1`, `EXPR$2`
    FROM (
        SELECT
            `EXPR$0` - 1 - (`EXPR$0` - 1) % 2 AS `w`,
            SUM(CAST(`v` AS BIGINT)) AS `EXPR$0`,
            MIN(`ts`) AS `EXPR$1`,
            COUNT(1) AS `EXPR$2`
        FROM (
            SELECT
                `e`,
                `k`,
                `v`,
                `ts`,
                `instant`,
                `day`,
                CAST(ROW_NUMBER() OVER (ORDER BY `ts`) AS INT) AS `EXPR$0`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM (
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM `spark_catalog`.`programs`.`events`
                )
                WHERE `ts` IS NOT NULL
            )
        )
        GROUP BY `EXPR$0` - 1 - (`EXPR$0` - 1) % 2
    )
    WHERE `EXPR$2` = CAST(2 AS BIGINT)
)
