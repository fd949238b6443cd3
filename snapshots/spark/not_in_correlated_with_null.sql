SELECT `x`, `y`
FROM (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
) AS `outer`
WHERE `y` NOT IN (
    SELECT `y`
    FROM (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`right_bag`
        )
        WHERE `x` = `outer`.`x`
    )
)
