WITH `events_grouped` AS (
    SELECT
        WINDOW(`ts`, '1 hour') AS `window`,
        `k` AS `WINDOW_START`,
        SUM(`e`) AS `EXPR$1`,
        SUM(`v`) AS `EXPR$2`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '1 hour'), `k`
)
SELECT `WINDOW_START`, `window`.`end` AS `end`, `EXPR$1` AS `window_end`, `EXPR$2` AS `start`
FROM `events_grouped`
