WITH `left_bag_filtered` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE `x` > 1
)
SELECT `x`, `n``m`, `v.v`
FROM `left_bag_filtered`
UNPIVOT INCLUDE NULLS (
    `v.v` FOR `n``m` IN (`y`)
)
