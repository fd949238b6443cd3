SELECT `s`.*
FROM (
    SELECT NAMED_STRUCT() AS `s`
    FROM (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        WHERE `x` > 1
    )
)
