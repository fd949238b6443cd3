SELECT `EXPR$0` AS `c`, `EXPR$1` AS `s`, `EXPR$2` AS `a`
FROM (
    SELECT
        COUNT(DISTINCT `x`) AS `EXPR$0`,
        SUM(DISTINCT CAST(`x` AS BIGINT)) AS `EXPR$1`,
        AVG(DISTINCT CAST(`x` AS DOUBLE)) AS `EXPR$2`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)
