WITH `left_bag_filtered` AS (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE `x` IS NULL OR `x` > 1
),
`left_bag_unpivoted` AS (
    SELECT `EXPR$0`, `a``b`, `c d.e`
    FROM `left_bag_filtered`
    UNPIVOT INCLUDE NULLS (
        (`a``b`, `c d.e`) FOR `EXPR$0` IN ((`x`, `y`) AS `x's`)
    )
)
SELECT *
FROM `left_bag_unpivoted`
WHERE `a``b` IS NOT NULL OR `c d.e` IS NOT NULL
