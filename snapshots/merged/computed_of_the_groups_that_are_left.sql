WITH `left_bag_by_x` AS (
    SELECT `x`, COUNT(`y`) AS `n`, ARRAY_AGG(`y`) AS `all`
    FROM `spark_catalog`.`programs`.`left_bag`
    GROUP BY `x`
    HAVING COUNT(`y`) > 0
)
SELECT `x`, 12 / `n` AS `share`, `all`
FROM `left_bag_by_x`
