WITH `left_bag_sorted` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
    SORT BY `x` + 1
)
SELECT `x`
FROM `left_bag_sorted`
WHERE `x` = 3
