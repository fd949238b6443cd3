(
    SELECT DISTINCT *
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
                WHERE TRUE
            )
        )
    )
) UNION ALL (
    (
        SELECT `s`.*
        FROM (
            SELECT NAMED_STRUCT() AS `s`
            FROM (
                SELECT `x`, `y`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`left_bag`
                )
                WHERE TRUE
            )
        )
    ) INTERSECT ALL (
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
)
