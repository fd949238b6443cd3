SELECT `e`, `before`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `before`, `key`, `since`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    INNER ASOF JOIN (
        SELECT `e` AS `before`, `k` AS `key`, `ts` AS `since`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
    )
    MATCH_CONDITION (`ts` > `since`)
    ON `k` = `key`
)
