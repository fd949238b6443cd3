SELECT `x`, SUM(`n`) OVER (PARTITION BY `x`) AS `s`
FROM (
    SELECT `x`, ROW_NUMBER() OVER (ORDER BY `x`, `y`) AS `n`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)
