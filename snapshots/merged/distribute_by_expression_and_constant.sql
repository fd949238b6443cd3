WITH `left_bag_distributed` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
    DISTRIBUTE BY `x` % 2, 5
)
SELECT *
FROM `left_bag_distributed`
WHERE `x` > 1
