SELECT `x`, `share`, `n`
FROM (
    SELECT `x`, CAST(12 AS DOUBLE) / CAST(`EXPR$0` AS DOUBLE) AS `share`, `EXPR$1` AS `n`
    FROM (
        SELECT `x`, COUNT(1) AS `EXPR$0`, COUNT(`y`) AS `EXPR$1`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        GROUP BY `x`
    )
)
WHERE `share` < CAST(12 AS DOUBLE) AND `n` > 0
