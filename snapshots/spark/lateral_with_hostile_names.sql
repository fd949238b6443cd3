SELECT `x y`, `n`
FROM (
    SELECT `lateral`, `LATERAL_`, `x y`, `n`
    FROM (
        SELECT `lateral`, `LATERAL_`, `x y`
        FROM (
            SELECT `lateral`, `LATERAL_`, `x y`
            FROM (
                SELECT NAMED_STRUCT('x', ARRAY(`x`), 'n', 9) AS `lateral`, ARRAY(7, 8) AS `LATERAL_`
                FROM (
                    SELECT `x`, `y`
                    FROM (
                        SELECT `x`, `y`
                        FROM `spark_catalog`.`programs`.`left_bag`
                    )
                    WHERE `x` = 2
                )
            )
            INNER JOIN LATERAL EXPLODE(`lateral`.`x`) AS `lateral__`(`x y`)
        )
        WHERE `lateral`.`n` > `x y`
    )
    INNER JOIN LATERAL EXPLODE(`LATERAL_`) AS `lateral__`(`n`)
)
