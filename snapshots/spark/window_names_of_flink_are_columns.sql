SELECT `WINDOW_START`, `window`.`end` AS `end`, `EXPR$1` AS `window_end`, `EXPR$2` AS `start`
FROM (
    SELECT
        WINDOW(`window_time`, '1 hour') AS `window`,
        `WINDOW_START`,
        SUM(`window_end`) AS `EXPR$1`,
        SUM(`window_end_0`) AS `EXPR$2`
    FROM (
        SELECT `ts` AS `window_time`, `k` AS `WINDOW_START`, `v` AS `window_end_0`, `e` AS `window_end`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
    )
    GROUP BY WINDOW(`window_time`, '1 hour'), `WINDOW_START`
)
