WITH `events_grouped` AS (
    SELECT SESSION_WINDOW(`ts`, '6 minutes') AS `w`, `k`, SUM(`v`) AS `EXPR$2`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY SESSION_WINDOW(`ts`, '6 minutes'), `k`
)
SELECT `k`, `w`.`start` AS `ws`, `w`.`end` AS `we`, `EXPR$2` AS `s`
FROM `events_grouped`
