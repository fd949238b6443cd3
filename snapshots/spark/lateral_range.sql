SELECT `x`, `y`, `i`
FROM (
    SELECT `x`, `y`, `i`
    FROM (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        WHERE `x` < 3
    )
    INNER JOIN LATERAL RANGE(1, 3) AS `lateral`(`i`)
)
WHERE `i` >= `x`
