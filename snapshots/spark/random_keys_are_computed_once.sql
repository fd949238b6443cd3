SELECT `EXPR$0` AS `zero`, COUNT(`x`) AS `n`
FROM (
    SELECT `x`, `y`, RAND() * 0 AS `EXPR$0`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)
GROUP BY `EXPR$0`
