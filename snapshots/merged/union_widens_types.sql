WITH `left_bag_union` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
    UNION ALL
    SELECT `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
)
SELECT *
FROM `left_bag_union`
WHERE `x` > 0.2D
