WITH `right_bag_sorted` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`right_bag`
    DISTRIBUTE BY `y`
    SORT BY `x`
)
SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` IN (
    SELECT `x`
    FROM `right_bag_sorted`
)
LIMIT 9
