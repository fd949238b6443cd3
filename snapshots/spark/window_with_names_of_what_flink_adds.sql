SELECT `window_start`, `k`.`start` AS `s`, `window_end`, `v`
FROM (
    SELECT
        `k` AS `window_start`,
        WINDOW(`ts`, '10 minutes') AS `k`,
        SUM(`v`) AS `window_end`,
        COUNT(1) AS `v`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY `k`, WINDOW(`ts`, '10 minutes')
)
