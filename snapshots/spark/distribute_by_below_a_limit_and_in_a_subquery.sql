SELECT `x`, `y`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `x` IN (
        SELECT `x`
        FROM (
            SELECT `x`, `y`
            FROM (
                SELECT `x`, `y`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`right_bag`
                )
                DISTRIBUTE BY `y`
            )
            SORT BY `x`
        )
    )
)
LIMIT 9
