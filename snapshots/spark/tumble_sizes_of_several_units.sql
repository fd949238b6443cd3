SELECT `w`.`start` AS `ws`, `EXPR$1` AS `s`
FROM (
    SELECT WINDOW(`ts`, '30 minutes 500 milliseconds') AS `w`, SUM(`v`) AS `EXPR$1`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY WINDOW(`ts`, '30 minutes 500 milliseconds')
)
