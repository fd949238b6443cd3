SELECT `x`, `EXPR$0` AS `s`, `EXPR$1` + 1 AS `g`
FROM (
    SELECT `x`, SUM(CAST(`x` AS BIGINT)) AS `EXPR$0`, GROUPING(`x`) AS `EXPR$1`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    GROUP BY ROLLUP(`x`)
)
