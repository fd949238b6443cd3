SELECT `EXPR$0` AS `c`, `EXPR$1` AS `s`, `EXPR$2` AS `a`
FROM (
    SELECT
        COUNT(DISTINCT `x`) AS `EXPR$0`,
        SUM(DISTINCT `x`) AS `EXPR$1`,
        AVG(DISTINCT `x`) AS `EXPR$2`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)
