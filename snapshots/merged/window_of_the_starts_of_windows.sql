WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes') AS `w`, SUM(`v`) AS `s`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes')
),
`events_grouped_2` AS (
    SELECT WINDOW(`w`.`start`, '1 hour', '30 minutes') AS `hour`, SUM(`s`) AS `EXPR$1`
    FROM `events_grouped`
    GROUP BY WINDOW(`w`.`start`, '1 hour', '30 minutes')
)
SELECT `hour`.`start` AS `h`, `EXPR$1` AS `s`
FROM `events_grouped_2`
