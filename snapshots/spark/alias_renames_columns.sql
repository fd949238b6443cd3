SELECT `c``d`, `a b`
FROM (
    SELECT `a b`, `c``d`
    FROM (
        SELECT `x` AS `a b`, `y` AS `c``d`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
    )
    WHERE `a b` = 2
)
