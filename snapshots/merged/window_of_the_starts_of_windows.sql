WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes') AS `w`, SUM(`v`) AS `s`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes')
)
SELECT WINDOW(`w`.`start`, '1 hour', '30 minutes').`start` AS `h`, SUM(`s`) AS `s`
FROM `events_grouped`
GROUP BY WINDOW(`w`.`start`, '1 hour', '30 minutes')
