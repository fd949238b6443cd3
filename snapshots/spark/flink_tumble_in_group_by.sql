SELECT
    `EXPR$0`.`start` AS `s`,
    `EXPR$0`.`end` AS `e`,
    `EXPR$0`.`end` - INTERVAL '0.001' SECOND AS `r`,
    `k`,
    `EXPR$4` AS `total`
FROM (
    SELECT WINDOW(`ts`, '30 minutes') AS `EXPR$0`, `k`, SUM(`v`) AS `EXPR$4`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY WINDOW(`ts`, '30 minutes'), `k`
)
