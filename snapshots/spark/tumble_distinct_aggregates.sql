SELECT `EXPR$0` AS `keys`, `EXPR$1` AS `rests`
FROM (
    SELECT
        WINDOW(`ts`, '1 day') AS `w`,
        COUNT(DISTINCT `k`) AS `EXPR$0`,
        SUM(DISTINCT `v` % 3) AS `EXPR$1`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY WINDOW(`ts`, '1 day')
)
