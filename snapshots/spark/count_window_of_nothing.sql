SELECT `a`, `EXPR$0`
FROM (
    SELECT `EXPR$1`, `a`, `EXPR$0`
    FROM (
        SELECT `EXPR$0_0` - 1 - (`EXPR$0_0` - 1) % 2 - `EXPR$1` AS `EXPR$1`, `a`, COUNT(1) AS `EXPR$0`
        FROM (
            SELECT `a`, `b`, `EXPR$0`, `EXPR$0_0`, `EXPR$1`
            FROM (
                SELECT `a`, `b`, `EXPR$0`, ROW_NUMBER() OVER (PARTITION BY `a` ORDER BY `EXPR$0`) AS `EXPR$0_0`
                FROM (
                    SELECT `a`, `b`, `EXPR$0`
                    FROM (
                        SELECT `a`, `b`, CAST(`b` AS DATE) AS `EXPR$0`
                        FROM (
                            SELECT `a`, `b`
                            FROM `spark_catalog`.`programs`.`nothing`
                        )
                    )
                    WHERE `EXPR$0` IS NOT NULL
                )
            )
            INNER JOIN (
                SELECT `EXPR$1`
                FROM VALUES
                    (0),
                    (2)
                AS `values`(`EXPR$1`)
            )
            ON (`EXPR$0_0` - 1) % 2 + `EXPR$1` < 4 AND `EXPR$0_0` - 1 - (`EXPR$0_0` - 1) % 2 - `EXPR$1` >= 0
        )
        GROUP BY `EXPR$0_0` - 1 - (`EXPR$0_0` - 1) % 2 - `EXPR$1`, `a`
    )
    WHERE `EXPR$0` = 4L
)
