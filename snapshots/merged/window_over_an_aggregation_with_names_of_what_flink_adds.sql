WITH `events_by_ts` AS (
    SELECT `ts` AS `window_start`, SUM(`v`) AS `window_time`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY `ts`
)
SELECT SUM(`window_time`) AS `s`
FROM `events_by_ts`
GROUP BY WINDOW(`window_start`, '10 minutes')
