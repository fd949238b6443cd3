SELECT `EXPR$0`.`start` AS `window_start`, `k`, `day`, `EXPR$2` AS `n`
FROM (
    SELECT WINDOW(`ts`, '30 minutes') AS `EXPR$0`, `k`, `day`, COUNT(1) AS `EXPR$2`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY
        GROUPING SETS (
            (WINDOW(`ts`, '30 minutes'), `k`),
            (WINDOW(`ts`, '30 minutes'), `day`),
            (WINDOW(`ts`, '30 minutes'))
        )
)
