SELECT `x`, COUNT(`ry`) AS `n`
FROM (
    SELECT `x`, `y`, `other`, `rx`, `ry`
    FROM (
        SELECT `x`, `y`, `other`
        FROM (
            SELECT `x`, `y`, `r_x` AS `other`
            FROM (
                SELECT `x`, `y`, `r_x`, `r_y`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`left_bag`
                )
                INNER JOIN (
                    SELECT `x` AS `r_x`, `y` AS `r_y`
                    FROM (
                        SELECT `x`, `y`
                        FROM `spark_catalog`.`programs`.`right_bag`
                    )
                )
                EXACT NEAREST 1 BY DISTANCE `r_x` - `x`
            )
        )
        WHERE `other` < 3
    )
    INNER JOIN (
        SELECT `x` AS `rx`, `y` AS `ry`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`right_bag`
        )
    )
    ON `rx` = `other`
)
GROUP BY `x`
