SELECT `x`, `y`
FROM (
    (
        (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        ) UNION ALL (
            (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`right_bag`
            ) EXCEPT (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`left_bag`
            )
        )
    ) INTERSECT (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)
WHERE `x` < 3
