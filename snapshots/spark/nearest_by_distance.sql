SELECT DISTINCT `x`, `y`, `other`
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
            EXACT NEAREST 1 BY DISTANCE ABS(`x` - `r_x`)
        )
    )
    WHERE `x` > 1
)
