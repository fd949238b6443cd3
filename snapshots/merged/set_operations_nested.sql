WITH `right_bag_difference` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`right_bag`
    EXCEPT
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
),
`left_bag_union` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
    UNION ALL
    SELECT *
    FROM `right_bag_difference`
),
`left_bag_intersection` AS (
    SELECT *
    FROM `left_bag_union`
    INTERSECT
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
)
SELECT *
FROM `left_bag_intersection`
WHERE `x` < 3
