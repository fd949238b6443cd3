SELECT `e`, WINDOW(`instant`, '1 day', '1 day', '2 hours').`start` AS `window`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    WHERE `v` > 5
)
