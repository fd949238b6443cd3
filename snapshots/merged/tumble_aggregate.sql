WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes').`end` AS `we`, SUM(`v`) + 1 AS `s`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY `k`, WINDOW(`ts`, '10 minutes')
)
SELECT *
FROM `events_grouped`
WHERE `s` > 5
