WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes') AS `w`, `k`, COUNT(1) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes'), `k`
)
SELECT `k`, `w`.`end` AS `we`, `EXPR$1` AS `n`
FROM `events_grouped`
WHERE `EXPR$1` > 1
