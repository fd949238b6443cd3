WITH `left_bag_sorted` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
    DISTRIBUTE BY `x`
    SORT BY `x`, `y`
),
`left_bag_sorted_2` AS (
    SELECT `x`, `y`
    FROM `left_bag_sorted`
    DISTRIBUTE BY `y`
    SORT BY `x` DESC
)
SELECT `y`, MAX(`x`) AS `most`
FROM `left_bag_sorted_2`
GROUP BY `y`
