SELECT `y`, `x2`
FROM (
    SELECT `x`, `y`, `x2`, `y2`
    FROM (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        WHERE `x` = 2
    )
    INNER JOIN (
        SELECT `x` AS `x2`, `y` AS `y2`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`right_bag`
        )
    )
)
