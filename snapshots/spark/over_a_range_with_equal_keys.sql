SELECT
    `x`,
    COUNT(1) OVER (ORDER BY `x`) AS `so_far`,
    COUNT(1) OVER (ORDER BY `x` RANGE BETWEEN CURRENT ROW AND CURRENT ROW) AS `equal`,
    COUNT(1) OVER (ORDER BY `x` RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS `left`
FROM (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
)
