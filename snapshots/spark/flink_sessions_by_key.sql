SELECT
    `EXPR$0`.`start` AS `window_start`,
    `EXPR$0`.`end` AS `window_end`,
    `EXPR$0`.`end` - INTERVAL '0.001' SECOND AS `window_time`,
    `k`,
    `EXPR$4` AS `n`
FROM (
    SELECT `EXPR$0`, `k`, `EXPR$4`
    FROM (
        SELECT SESSION_WINDOW(`ts`, '6 minutes') AS `EXPR$0`, `k`, COUNT(1) AS `EXPR$4`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        GROUP BY SESSION_WINDOW(`ts`, '6 minutes'), `k`
    )
    WHERE `EXPR$4` > 1
)
