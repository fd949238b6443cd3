WITH `left_bag_distribute` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
    DISTRIBUTE BY `x`
),
`left_bag_sortpartitions` AS (
    SELECT `x`, `y`
    FROM `left_bag_distribute`
    SORT BY `x`, `y`
),
`left_bag_distribute_2` AS (
    SELECT `x`, `y`
    FROM `left_bag_sortpartitions`
    DISTRIBUTE BY `y`
),
`left_bag_sortpartitions_2` AS (
    SELECT `x`, `y`
    FROM `left_bag_distribute_2`
    SORT BY `x` DESC
)
SELECT `y`, MAX(`x`) AS `most`
FROM `left_bag_sortpartitions_2`
GROUP BY `y`
