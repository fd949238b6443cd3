SELECT `x`, `v`, `n`
FROM (
    SELECT `x`, `y`, `v`, `n`
    FROM (
        SELECT `x`, `y`, `v`, `n`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        INNER JOIN LATERAL JSON_TABLE(
            CONCAT('[', `x`, ', ', `x` * 10, ']'),
            '$[*]' COLUMNS (`v` INT PATH '$', `n` FOR ORDINALITY)
        ) AS `j`(`v`, `n`)
    )
    WHERE `x` > 1 AND `v` <> 3
)
