SELECT `x`, `EXPR$0`, `EXPR$1`
FROM (
    SELECT `x`, `EXPR$0`, `EXPR$1`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    UNPIVOT INCLUDE NULLS (
        `EXPR$1` FOR `EXPR$0` IN (`y`)
    )
)
WHERE `EXPR$1` IS NOT NULL
