SELECT SESSION_WINDOW(`ts`, '5 minutes') AS `w`, COUNT(1) AS `n`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    WHERE `e` IN (1, 3)
)
GROUP BY SESSION_WINDOW(`ts`, '5 minutes')
