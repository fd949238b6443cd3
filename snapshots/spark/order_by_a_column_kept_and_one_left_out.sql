SELECT `n`
FROM (
    SELECT `n`, `size`
    FROM (
        SELECT `x` AS `n`, CHAR_LENGTH(`y`) AS `size`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
    )
    ORDER BY `n` + `size` DESC, `n`
)
