SELECT `hour`.`start` AS `h`, `EXPR$1` AS `s`
FROM (
    SELECT WINDOW(`w`.`start`, '1 hour', '30 minutes') AS `hour`, SUM(`s`) AS `EXPR$1`
    FROM (
        SELECT WINDOW(`ts`, '10 minutes') AS `w`, SUM(`v`) AS `s`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        GROUP BY WINDOW(`ts`, '10 minutes')
    )
    GROUP BY WINDOW(`w`.`start`, '1 hour', '30 minutes')
)
