WITH `events_selected` AS (
    SELECT `k`, `ts`
    FROM `spark_catalog`.`programs`.`events`
),
`events_union` AS (
    SELECT *
    FROM `events_selected`
    UNION ALL
    SELECT *
    FROM `events_selected`
),
`events_grouped` AS (
    SELECT `k`, COUNT(1) AS `n`
    FROM `events_union`
    GROUP BY WINDOW(`ts`, '10 minutes'), `k`
)
SELECT `k`, MAX(`n`) AS `most`
FROM `events_grouped`
GROUP BY `k`
