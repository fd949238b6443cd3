SELECT `x`, `y`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    DISTRIBUTE BY `x` % 2, 5
)
WHERE `x` > 1
