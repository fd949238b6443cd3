SELECT `k`, `s`
FROM (
    SELECT `ws`, `k`, `s`
    FROM (
        SELECT `w`.`start` AS `ws`, `k`, `EXPR$1` AS `s`
        FROM (
            SELECT WINDOW(`ts`, '10 minutes') AS `w`, `k`, SUM(`v`) AS `EXPR$1`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            )
            GROUP BY WINDOW(`ts`, '10 minutes'), `k`
        )
    )
    ORDER BY `ws`, `k`
)
