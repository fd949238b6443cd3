WITH `events_grouped` AS (
    SELECT `k`, WINDOW(`ts`, '10 minutes') AS `w`, SUM(`v`) + 1 AS `s`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY `k`, WINDOW(`ts`, '10 minutes')
)
SELECT `w`.`end` AS `we`, `s`
FROM `events_grouped`
WHERE `s` > 5
