SELECT `V`.`start` AS `ws`, `EXPR$1` AS `s`
FROM (
    SELECT WINDOW(`ts`, '1 hour') AS `V`, SUM(`v`) AS `EXPR$1`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY WINDOW(`ts`, '1 hour')
)
