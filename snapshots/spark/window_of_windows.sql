SELECT `w`.`start` AS `ws`, `EXPR$1` AS `most`, `EXPR$2` AS `n`
FROM (
    SELECT WINDOW(`rt`, '30 minutes') AS `w`, MAX(`s`) AS `EXPR$1`, COUNT(1) AS `EXPR$2`
    FROM (
        SELECT `w`.`end` - INTERVAL '0.001' SECOND AS `rt`, `k`, `EXPR$1` AS `s`
        FROM (
            SELECT WINDOW(`ts`, '10 minutes') AS `w`, `k`, SUM(`v`) AS `EXPR$1`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            )
            GROUP BY WINDOW(`ts`, '10 minutes'), `k`
        )
    )
    GROUP BY WINDOW(`rt`, '30 minutes')
)
