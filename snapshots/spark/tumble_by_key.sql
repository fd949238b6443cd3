SELECT `k`, `w`.`start` AS `EXPR$0`, `w`.`end` - INTERVAL '0.001' SECOND AS `rt`, `EXPR$2`
FROM (
    SELECT WINDOW(`ts`, '10 minutes') AS `w`, `k`, SUM(`v`) AS `EXPR$2`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY WINDOW(`ts`, '10 minutes'), `k`
)
