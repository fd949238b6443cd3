SELECT `x`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE EXISTS (
        SELECT MAX(`a`) AS `EXPR$0`
        FROM (
            SELECT `a`, `b`
            FROM `spark_catalog`.`programs`.`nothing`
        )
    )
)
