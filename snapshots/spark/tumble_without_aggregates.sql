SELECT `w`.`start` AS `ws`
FROM (
    SELECT WINDOW(`ts`, '10 minutes') AS `w`, `k`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY WINDOW(`ts`, '10 minutes'), `k`
)
