SELECT `x`, `n`, `x` + 1 AS `m`
FROM (
    SELECT `x` AS `n`, `x`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    GROUP BY `x`, `x`
)
