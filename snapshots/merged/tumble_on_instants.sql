WITH `events_grouped` AS (
    SELECT WINDOW(`instant`, '30 minutes') AS `w`, SUM(`v`) AS `EXPR$2`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`instant`, '30 minutes')
)
SELECT `w`.`start` AS `ws`, `w`.`end` - INTERVAL '0.001' SECOND AS `rt`, `EXPR$2` AS `s`
FROM `events_grouped`
