WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes') AS `window`, SUM(`v`) AS `s`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes')
),
`events_grouped_2` AS (
    SELECT
        WINDOW(`window`.`end` - INTERVAL '0.000001' SECOND, '1 hour') AS `h`,
        SUM(`s`) AS `EXPR$1`,
        COUNT(`window`) AS `EXPR$2`
    FROM `events_grouped`
    GROUP BY WINDOW(`window`.`end` - INTERVAL '0.000001' SECOND, '1 hour')
)
SELECT `h`.`start` AS `hour`, `EXPR$1` AS `s`, `EXPR$2` AS `c`
FROM `events_grouped_2`
