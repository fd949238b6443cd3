WITH `left_bag_by_y` AS (
    SELECT `y`, SUM(`x`) AS `total`
    FROM `spark_catalog`.`programs`.`left_bag`
    GROUP BY ROLLUP(`y`)
)
SELECT `y`, RANK() OVER (ORDER BY `total` DESC) AS `r`
FROM `left_bag_by_y`
WHERE `y` IS NOT NULL
