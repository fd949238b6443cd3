WITH `events_grouped` AS (
    SELECT
        UPPER(`k`) AS `upper`,
        WINDOW(`ts`, '10 minutes') AS `w`,
        `v` % 2 AS `EXPR$0`,
        COUNT(1) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY UPPER(`k`), WINDOW(`ts`, '10 minutes'), `v` % 2
)
SELECT `upper`, `EXPR$0`, `EXPR$1`, `w`.`end` AS `EXPR$2`
FROM `events_grouped`
