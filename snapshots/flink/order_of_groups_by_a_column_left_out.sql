SELECT `y`, `total`
FROM (
    SELECT `y`, `total`, `more` AS `sort_key_0`
    FROM (
        SELECT `y`, `total`, `more`
        FROM (
            SELECT `y`, `EXPR$0` AS `total`, `EXPR$0` + 1 AS `more`
            FROM (
                SELECT `y`, SUM(CAST(`x` AS BIGINT)) AS `EXPR$0`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`left_bag`
                )
                GROUP BY `y`
            )
        )
        ORDER BY `more` DESC, `y`
    )
) AS `sorted`
ORDER BY `sort_key_0` DESC, `y`
