SELECT DISTINCT `x`, `y`, `other`
FROM (
    SELECT `x`, `y`, `r_x` AS `other`
    FROM (
        SELECT `x`, `y`, `r_x`, `r_y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        LEFT OUTER JOIN (
            SELECT `x` AS `r_x`, `y` AS `r_y`
            FROM (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`right_bag`
            )
        )
        APPROX NEAREST 2 BY SIMILARITY NULLIF(`x`, 1) + `r_x`
    )
)
