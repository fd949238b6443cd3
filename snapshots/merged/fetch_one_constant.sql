WITH `left_bag_limited` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
    LIMIT 2
)
SELECT 7 AS `seven`
FROM `left_bag_limited`
