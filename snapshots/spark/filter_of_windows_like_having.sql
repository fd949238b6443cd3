SELECT `k`, `we`, `n`
FROM (
    SELECT `k`, `w`.`end` AS `we`, `EXPR$1` AS `n`
    FROM (
        SELECT WINDOW(`ts`, '10 minutes') AS `w`, `k`, COUNT(1) AS `EXPR$1`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        GROUP BY WINDOW(`ts`, '10 minutes'), `k`
    )
)
WHERE `n` > 1
