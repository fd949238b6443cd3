WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes').`end` - INTERVAL '0.001' SECOND AS `rowtime`, SUM(`v`) AS `total`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes')
)
SELECT
    WINDOW(`rowtime`, '1 hour').`start` AS `window_start`,
    SUM(`total`) AS `total`,
    COUNT(1) AS `n`
FROM `events_grouped`
GROUP BY WINDOW(`rowtime`, '1 hour')
