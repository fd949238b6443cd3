SELECT `x`, `y`, `ten`
FROM (
    SELECT `x`, UPPER(`y`) AS `y`, `x` * 10 AS `ten`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)
WHERE `x` = 2
