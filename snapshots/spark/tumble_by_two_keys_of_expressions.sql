SELECT `upper`, `EXPR$0`, `EXPR$1`, `w`.`end` AS `EXPR$2`
FROM (
    SELECT
        UPPER(`k`) AS `upper`,
        WINDOW(`ts`, '10 minutes') AS `w`,
        `v` % 2 AS `EXPR$0`,
        COUNT(1) AS `EXPR$1`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY UPPER(`k`), WINDOW(`ts`, '10 minutes'), `v` % 2
)
