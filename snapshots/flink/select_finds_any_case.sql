SELECT `y`, `x`
FROM (
    SELECT `y`, `x`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)
WHERE `x` = 2
