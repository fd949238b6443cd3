SELECT WINDOW(`ts`, '10 minutes', '4 minutes') AS `w`, SUM(`e`) AS `s`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    WHERE `e` = 6
)
GROUP BY WINDOW(`ts`, '10 minutes', '4 minutes')
