SELECT `y`, RANK() OVER (ORDER BY `total`) AS `r`
FROM (
    SELECT `y`, `total`, `g`
    FROM (
        SELECT `y`, SUM(`x`) AS `total`, GROUPING(`y`) AS `g`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        GROUP BY ROLLUP(`y`)
    )
    WHERE `g` = 0
)
