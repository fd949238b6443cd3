SELECT `EXPR$0`, `a``b`, `c d.e`
FROM (
    SELECT `EXPR$0`, `a``b`, `c d.e`
    FROM (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        WHERE `x` IS NULL OR `x` > 1
    )
    UNPIVOT INCLUDE NULLS (
        (`a``b`, `c d.e`) FOR `EXPR$0` IN ((`x`, `y`) AS `x's`)
    )
)
WHERE `a``b` IS NOT NULL OR `c d.e` IS NOT NULL
