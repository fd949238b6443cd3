WITH `left_bag_sampled` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
    TABLESAMPLE (100 PERCENT) REPEATABLE (7)
)
SELECT COUNT(`x`) AS `EXPR$0`
FROM `left_bag_sampled`
