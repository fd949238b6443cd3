SELECT `y`, CAST(RANK() OVER (ORDER BY `total` DESC) AS INT) AS `r`
FROM (
    SELECT `y`, `total`
    FROM (
        SELECT `y`, SUM(CAST(`x` AS BIGINT)) AS `total`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        GROUP BY ROLLUP(`y`)
    )
    WHERE `y` IS NOT NULL
)
