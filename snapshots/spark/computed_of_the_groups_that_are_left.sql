SELECT `x`, 12 / `n` AS `share`, `all`
FROM (
    SELECT `x`, `n`, `all`
    FROM (
        SELECT `x`, COUNT(`y`) AS `n`, ARRAY_AGG(`y`) AS `all`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        GROUP BY `x`
    )
    WHERE `n` > 0
)
