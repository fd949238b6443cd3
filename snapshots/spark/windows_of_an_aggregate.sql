SELECT `k`, WINDOW(`latest`, '10 minutes').`start` AS `s`
FROM (
    SELECT `k`, MAX(`ts`) AS `latest`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY `k`
)
