WITH `left_bag_grouped` AS (
    SELECT `x` AS `n`, `x`
    FROM `spark_catalog`.`programs`.`left_bag`
    GROUP BY `x`, `x`
)
SELECT `x`, `n`, `x` + 1 AS `m`
FROM `left_bag_grouped`
