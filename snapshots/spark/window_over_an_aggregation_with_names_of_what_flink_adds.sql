SELECT `EXPR$0` AS `s`
FROM (
    SELECT WINDOW(`window_start`, '10 minutes') AS `w`, SUM(`window_time`) AS `EXPR$0`
    FROM (
        SELECT `ts` AS `window_start`, SUM(`v`) AS `window_time`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        GROUP BY `ts`
    )
    GROUP BY WINDOW(`window_start`, '10 minutes')
)
