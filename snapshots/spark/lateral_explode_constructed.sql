SELECT `n`, `k`, `v`
FROM (
    SELECT `x`, `y`, `n`, `k`, `v`
    FROM (
        SELECT `x`, `y`, `n`
        FROM (
            SELECT `x`, `y`
            FROM (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`left_bag`
            )
            WHERE `y` = 'b'
        )
        INNER JOIN LATERAL EXPLODE(ARRAY(`x`, `x` * 10, 7)) AS `lateral`(`n`)
    )
    INNER JOIN LATERAL EXPLODE(MAP(`y`, `n`)) AS `lateral`(`k`, `v`)
)
