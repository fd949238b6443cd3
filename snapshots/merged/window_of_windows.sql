WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes') AS `w`, `k`, SUM(`v`) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes'), `k`
),
`events_grouped_2` AS (
    SELECT
        WINDOW(`w`.`end` - INTERVAL '0.001' SECOND, '30 minutes') AS `w`,
        MAX(`EXPR$1`) AS `EXPR$1`,
        COUNT(1) AS `EXPR$2`
    FROM `events_grouped`
    GROUP BY WINDOW(`w`.`end` - INTERVAL '0.001' SECOND, '30 minutes')
)
SELECT `w`.`start` AS `ws`, `EXPR$1` AS `most`, `EXPR$2` AS `n`
FROM `events_grouped_2`
