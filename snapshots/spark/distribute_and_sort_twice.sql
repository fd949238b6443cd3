SELECT `y`, MAX(`x`) AS `most`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM (
                SELECT `x`, `y`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`left_bag`
                )
                DISTRIBUTE BY `x`
            )
            SORT BY `x`, `y`
        )
        DISTRIBUTE BY `y`
    )
    SORT BY `x` DESC
)
GROUP BY `y`
