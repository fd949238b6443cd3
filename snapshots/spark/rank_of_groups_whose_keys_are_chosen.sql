SELECT `y`, RANK() OVER (ORDER BY `total` DESC) AS `r`
FROM (
    SELECT `y`, `total`
    FROM (
        SELECT `y`, SUM(`x`) AS `total`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        GROUP BY ROLLUP(`y`)
    )
    WHERE `y` IS NOT NULL
)
