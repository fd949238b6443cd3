WITH `left_bag_unpivoted` AS (
    SELECT `x`, `EXPR$0`, `EXPR$1`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    UNPIVOT INCLUDE NULLS (
        `EXPR$1` FOR `EXPR$0` IN (`y`)
    )
)
SELECT *
FROM `left_bag_unpivoted`
WHERE `EXPR$1` IS NOT NULL
