SELECT `w`.`start` AS `ws`, `EXPR$1` AS `s`
FROM (
    SELECT WINDOW(`day`, '7 days') AS `w`, SUM(`v`) AS `EXPR$1`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY WINDOW(`day`, '7 days')
)
