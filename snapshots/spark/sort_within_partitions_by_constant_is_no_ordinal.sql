SELECT `x`
FROM (
    SELECT `x`
    FROM (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        SORT BY `x` + 1
    )
)
WHERE `x` = 3
