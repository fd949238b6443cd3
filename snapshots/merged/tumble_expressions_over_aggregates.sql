WITH `events_grouped` AS (
    SELECT
        WINDOW(`ts`, '1 hour') AS `w`,
        SUM(`v`) AS `EXPR$0`,
        COUNT(`v`) AS `EXPR$1`,
        MAX(`v`) AS `EXPR$3`,
        MIN(`v`) AS `EXPR$4`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '1 hour')
)
SELECT
    `EXPR$0` / `EXPR$1` AS `mean`,
    EXTRACT(HOUR FROM `w`.`start`) AS `hour`,
    `EXPR$3` - `EXPR$4` AS `spread`
FROM `events_grouped`
