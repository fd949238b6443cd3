WITH `left_bag_sortpartitions` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
    SORT BY `x` + 1
)
SELECT `x`
FROM `left_bag_sortpartitions`
WHERE `x` = 3
