SELECT `x`, `y`, `x` - LAG(`x`, 1, TRY_CAST(0 AS INT)) OVER (ORDER BY `x`, `y`) AS `step`
FROM (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
)
