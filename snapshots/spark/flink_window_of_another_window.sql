SELECT `EXPR$0`.`start` AS `window_start`, `EXPR$2` AS `total`, `EXPR$3` AS `n`
FROM (
    SELECT WINDOW(`rowtime`, '1 hour') AS `EXPR$0`, SUM(`total`) AS `EXPR$2`, COUNT(1) AS `EXPR$3`
    FROM (
        SELECT `EXPR$0`.`end` - INTERVAL '0.001' SECOND AS `rowtime`, `EXPR$2` AS `total`
        FROM (
            SELECT WINDOW(`ts`, '10 minutes') AS `EXPR$0`, SUM(`v`) AS `EXPR$2`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            )
            GROUP BY WINDOW(`ts`, '10 minutes')
        )
    )
    GROUP BY WINDOW(`rowtime`, '1 hour')
)
