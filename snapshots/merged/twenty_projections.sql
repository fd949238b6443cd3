WITH `left_bag_computed` AS (
    SELECT 0 AS `n`
    FROM `spark_catalog`.`programs`.`left_bag`
)
SELECT `n` + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 AS `n`
FROM `left_bag_computed`
