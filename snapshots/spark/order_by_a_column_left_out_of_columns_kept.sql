SELECT `x`, `y`
FROM (
    SELECT `x`, `y`, `less`
    FROM (
        SELECT `x`, `y`, `x` * -1 AS `less`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
    )
    ORDER BY `less`, `y`
)
