WITH `left_bag_by_y` AS (
    SELECT `y`, SUM(`x`) AS `total`, GROUPING(`y`) AS `g`
    FROM `spark_catalog`.`programs`.`left_bag`
    GROUP BY ROLLUP(`y`)
    HAVING GROUPING(`y`) = 0
)
SELECT `y`, RANK() OVER (ORDER BY `total`) AS `r`
FROM `left_bag_by_y`
