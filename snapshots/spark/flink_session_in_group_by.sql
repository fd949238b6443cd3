SELECT `EXPR$0`.`start` AS `s`, `EXPR$0`.`end` AS `e`, `k`, `EXPR$3` AS `n`
FROM (
    SELECT `k`, `EXPR$0`, `EXPR$3`
    FROM (
        SELECT `k`, SESSION_WINDOW(`ts`, '6 minutes') AS `EXPR$0`, COUNT(1) AS `EXPR$3`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        GROUP BY `k`, SESSION_WINDOW(`ts`, '6 minutes')
    )
    WHERE `EXPR$3` > 1
)
