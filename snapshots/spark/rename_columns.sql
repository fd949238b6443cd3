SELECT `select`, `order by`
FROM (
    SELECT `x` AS `select`, `y` AS `order by`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)
WHERE `select` = 2
