SELECT `w`.`end` - INTERVAL '0.001' SECOND AS `rt`, `EXPR$1`
FROM (
    SELECT SESSION_WINDOW(`ts`, '6 minutes') AS `w`, SUM(`v`) AS `EXPR$1`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY SESSION_WINDOW(`ts`, '6 minutes')
)
