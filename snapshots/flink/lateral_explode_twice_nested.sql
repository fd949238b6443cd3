SELECT `n`
FROM (
    SELECT `a`, `inner`, `n`
    FROM (
        SELECT `a`, `inner`
        FROM (
            SELECT ARRAY[CAST(ARRAY[1, 2] AS ARRAY<INT>), ARRAY[`x`]] AS `a`
            FROM (
                SELECT `x`, `y`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`left_bag`
                )
                WHERE `x` = 3
            )
        )
        CROSS JOIN UNNEST(`a`) AS `lateral`(`inner`)
    )
    CROSS JOIN UNNEST(`inner`) AS `lateral`(`n`)
)
