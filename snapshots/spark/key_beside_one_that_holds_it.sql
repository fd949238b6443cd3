SELECT `next` + 2 AS `p`, `next` + 2 AS `q`, `EXPR$0` AS `n`
FROM (
    SELECT `x` + 1 AS `next`, `x`, COUNT(1) AS `EXPR$0`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    GROUP BY `x` + 1, `x`
)
