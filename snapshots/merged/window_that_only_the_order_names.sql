WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes').`start` AS `ws`, `k`, SUM(`v`) AS `s`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes'), `k`
    ORDER BY `ws`, `k`
)
SELECT `k`, `s`
FROM `events_grouped`
