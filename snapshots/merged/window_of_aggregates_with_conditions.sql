WITH `events_grouped` AS (
    SELECT
        WINDOW(`ts`, '10 minutes', '5 minutes') AS `w`,
        SUM(`v`) FILTER (WHERE `k` = 'b') AS `EXPR$1`,
        COUNT(`e`) AS `EXPR$2`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes', '5 minutes')
)
SELECT `w`.`start` AS `ws`, `EXPR$1` AS `b`, `EXPR$2` AS `n`
FROM `events_grouped`
WHERE `EXPR$1` IS NOT NULL
