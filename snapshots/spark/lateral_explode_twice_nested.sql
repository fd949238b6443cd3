SELECT `n`
FROM (
    SELECT `a`, `inner`, `n`
    FROM (
        SELECT `a`, `inner`
        FROM (
            SELECT ARRAY(ARRAY(1, 2), ARRAY(`x`)) AS `a`
            FROM (
                SELECT `x`, `y`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`left_bag`
                )
                WHERE `x` = 3
            )
        )
        INNER JOIN LATERAL EXPLODE(`a`) AS `lateral`(`inner`)
    )
    INNER JOIN LATERAL EXPLODE(`inner`) AS `lateral`(`n`)
)
