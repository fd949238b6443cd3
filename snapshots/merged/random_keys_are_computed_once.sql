WITH `left_bag_computed` AS (
    SELECT `x`, `y`, RAND() * 0 AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`left_bag`
)
SELECT `EXPR$0` AS `zero`, COUNT(`x`) AS `n`
FROM `left_bag_computed`
GROUP BY `EXPR$0`
