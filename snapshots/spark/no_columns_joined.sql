SELECT `x`, `y`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `s`.*
        FROM (
            SELECT NAMED_STRUCT() AS `s`
            FROM (
                SELECT `x`, `y`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`left_bag`
                )
                WHERE `x` = 1
            )
        )
    )
    INNER JOIN (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`right_bag`
        )
        WHERE `x` = 1
    )
)
INNER JOIN (
    SELECT `s`.*
    FROM (
        SELECT NAMED_STRUCT() AS `s`
        FROM (
            SELECT `x`, `y`
            FROM (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`left_bag`
            )
            WHERE `x` = 1
        )
    )
)
