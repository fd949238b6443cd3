SELECT `x`, `y`, `x` - LAG(`x`, 1, 0) OVER (ORDER BY `x`, `y`) AS `step`
FROM (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
)
