WITH `events_grouped` AS (
    SELECT
        CONCAT('k', `k`) AS `EXPR$0`,
        SESSION_WINDOW(CAST(`day` AS TIMESTAMP_NTZ), '24 hours') AS `w`,
        COUNT(DISTINCT `e`) AS `EXPR$2`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY CONCAT('k', `k`), SESSION_WINDOW(CAST(`day` AS TIMESTAMP_NTZ), '24 hours')
)
SELECT `EXPR$0` AS `kk`, `w`.`end` AS `we`, `EXPR$2` AS `n`
FROM `events_grouped`
