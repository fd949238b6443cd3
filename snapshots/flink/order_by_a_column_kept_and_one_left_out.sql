SELECT `n`
FROM (
    SELECT `n`, `n` + `size` AS `sort_key_0`
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
) AS `sorted`
ORDER BY `sort_key_0` DESC, `n`
