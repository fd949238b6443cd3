SELECT `x`, `y`, `z`
FROM (
    SELECT `x`, `y`, `x` + 1 AS `z`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)
WHERE `z` = 3
