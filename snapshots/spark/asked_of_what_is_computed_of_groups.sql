SELECT `x`, `share`, `n`
FROM (
    SELECT `x`, 12 / `EXPR$0` AS `share`, `EXPR$1` AS `n`
    FROM (
        SELECT `x`, COUNT(1) AS `EXPR$0`, COUNT(`y`) AS `EXPR$1`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        GROUP BY `x`
    )
)
WHERE `share` < 12 AND `n` > 0
