SELECT `w`, `EXPR$0` AS `s`
FROM (
    SELECT WINDOW(`ts`, '10 minutes', '4 minutes') AS `w`, SUM(`e`) AS `EXPR$0`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        WHERE `e` = 6
    )
    GROUP BY WINDOW(`ts`, '10 minutes', '4 minutes')
)
