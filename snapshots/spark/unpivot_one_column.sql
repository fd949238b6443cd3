SELECT `x`, `n``m`, `v.v`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `x` > 1
)
UNPIVOT INCLUDE NULLS (
    `v.v` FOR `n``m` IN (`y`)
)
