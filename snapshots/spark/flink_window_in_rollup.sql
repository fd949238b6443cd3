SELECT
    `EXPR$0`.`start` AS `window_start`,
    `EXPR$0`.`end` AS `window_end`,
    `k`,
    `EXPR$3` AS `total`,
    `EXPR$4` AS `g`
FROM (
    SELECT WINDOW(`ts`, '30 minutes') AS `EXPR$0`, `k`, SUM(`v`) AS `EXPR$3`, GROUPING(`k`) AS `EXPR$4`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY GROUPING SETS ((WINDOW(`ts`, '30 minutes'), `k`), (WINDOW(`ts`, '30 minutes')))
)
