SELECT
    (
        SELECT `a`
        FROM (
            SELECT `a`, `b`
            FROM `spark_catalog`.`programs`.`nothing`
        )
    ) AS `a`,
    (
        SELECT COUNT(1) AS `EXPR$0`
        FROM (
            SELECT `a`, `b`
            FROM `spark_catalog`.`programs`.`nothing`
        )
    ) + 1 AS `n`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `x` = 2
)
