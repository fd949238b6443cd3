WITH `left_bag_computed` AS (
    SELECT `x`, `x` = 1 AS `_c1`, `x` AS `_c2`
    FROM `spark_catalog`.`programs`.`left_bag`
)
SELECT `x`, `yes`, `no`
FROM `left_bag_computed`
PIVOT (
    SUM(`_c2`)
    FOR `_c1` IN (TRUE AS `yes`, FALSE AS `no`)
)
