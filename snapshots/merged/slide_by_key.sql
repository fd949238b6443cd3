WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes', '5 minutes') AS `w`, `k`, SUM(`v`) AS `EXPR$2`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes', '5 minutes'), `k`
)
SELECT `k`, `w`.`start` AS `ws`, `w`.`end` AS `we`, `EXPR$2` AS `s`
FROM `events_grouped`
