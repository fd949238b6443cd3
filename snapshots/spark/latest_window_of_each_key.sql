SELECT `k`, MAX(`window`.`start`) AS `latest`, COUNT(1) AS `c`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, WINDOW(`ts`, '10 minutes') AS `window`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
)
GROUP BY `k`
