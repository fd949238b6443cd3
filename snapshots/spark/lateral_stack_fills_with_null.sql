SELECT `col0`, `col1`
FROM (
    SELECT `x`, `y`, `col0`, `col1`
    FROM (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        WHERE `x` = 2
    )
    INNER JOIN LATERAL STACK(2, `x`, `y`, NULL) AS `lateral`(`col0`, `col1`)
)
