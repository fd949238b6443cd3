SELECT `w`.`start` AS `ws`, `k`, `EXPR$1` AS `s`
FROM (
    SELECT WINDOW(`ts`, '1 hour') AS `w`, `k`, SUM(`v`) FILTER (WHERE `e` < 7) AS `EXPR$1`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY ROLLUP(WINDOW(`ts`, '1 hour'), `k`)
)
