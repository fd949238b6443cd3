SELECT `x`, `y`, COUNT(1) OVER (PARTITION BY `x`) AS `n`
FROM (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
)
