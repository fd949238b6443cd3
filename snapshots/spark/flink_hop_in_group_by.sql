SELECT `EXPR$0`.`start` AS `s`, `EXPR$2` AS `total`
FROM (
    SELECT WINDOW(`ts`, '1 hour', '30 minutes') AS `EXPR$0`, SUM(`v`) AS `EXPR$2`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY WINDOW(`ts`, '1 hour', '30 minutes')
)
