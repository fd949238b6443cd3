WITH `right_bag_distribute` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`right_bag`
    DISTRIBUTE BY `y`
),
`right_bag_sortpartitions` AS (
    SELECT `x`, `y`
    FROM `right_bag_distribute`
    SORT BY `x`
)
SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` IN (
    SELECT `x`
    FROM `right_bag_sortpartitions`
)
LIMIT 9
