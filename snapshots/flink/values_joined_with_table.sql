SELECT `word`, `y`
FROM (
    SELECT `k`, `word`, `x`, `y`
    FROM (
        SELECT `k`, `word`
        FROM (VALUES
            (1, 'one'),
            (2, 'two')
        ) AS `values`(`k`, `word`)
    )
    INNER JOIN (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    ON `k` = `x`
)
