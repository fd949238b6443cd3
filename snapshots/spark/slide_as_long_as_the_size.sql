SELECT `w`.`start` AS `ws`, `EXPR$1` AS `s`
FROM (
    SELECT WINDOW(`ts`, '10 minutes') AS `w`, SUM(`v`) AS `EXPR$1`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY WINDOW(`ts`, '10 minutes')
)
