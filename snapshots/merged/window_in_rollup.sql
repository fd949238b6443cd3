WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '1 hour') AS `w`, `k`, SUM(`v`) FILTER (WHERE `e` < 7) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY ROLLUP(WINDOW(`ts`, '1 hour'), `k`)
)
SELECT `w`.`start` AS `ws`, `k`, `EXPR$1` AS `s`
FROM `events_grouped`
