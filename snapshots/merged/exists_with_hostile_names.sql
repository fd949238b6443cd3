WITH `left_bag_computed` AS (
    SELECT `x` AS `outer`, NAMED_STRUCT('k', `x`) AS `OUTER_`, `y` AS `k`
    FROM `spark_catalog`.`programs`.`left_bag`
)
SELECT `k`, `outer`
FROM `left_bag_computed`
WHERE EXISTS (
    SELECT NAMED_STRUCT('k', `x`) AS `outer__`, `y` AS `EXPR$0`, `x` AS `outer`
    FROM `spark_catalog`.`programs`.`right_bag`
    WHERE `y` = `left_bag_computed`.`k`
        AND `x` = `left_bag_computed`.`OUTER_`.`k`
)
