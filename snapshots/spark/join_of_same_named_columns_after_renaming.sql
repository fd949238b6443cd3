SELECT `x`, `y`, `y2`
FROM (
    SELECT `x`, `y`, `x2`, `y2`
    FROM (
        SELECT `x`, `y`, `x2`, `y2`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        INNER JOIN (
            SELECT `x` AS `x2`, `y` AS `y2`
            FROM (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`right_bag`
            )
        )
        ON `x` = `x2`
    )
    WHERE `y` IS NOT NULL
)
