WITH `events_computed` AS (
    SELECT WINDOW(`ts`, '1 hour') AS `w`, `k`, `v`
    FROM `spark_catalog`.`programs`.`events`
),
`events_pivoted` AS (
    SELECT `w`, `a`, `b`
    FROM `events_computed`
    PIVOT (
        SUM(`v`)
        FOR `k` IN ('a' AS `a`, 'b' AS `b`)
    )
)
SELECT `w`.`end` AS `we`, `a`, `b`
FROM `events_pivoted`
