WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes') AS `window`, SUM(`v`) AS `s`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes')
)
SELECT
    WINDOW(WINDOW_TIME(`window`), '1 hour').`start` AS `hour`,
    SUM(`s`) AS `s`,
    COUNT(`window`) AS `c`
FROM `events_grouped`
GROUP BY WINDOW(WINDOW_TIME(`window`), '1 hour')
