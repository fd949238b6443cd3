SELECT `EXPR$0`, `a``b`, `c d.e`
FROM (
    SELECT `label0` AS `EXPR$0`, `x` AS `a``b`, `y` AS `c d.e`
    FROM (
        SELECT `x`, `y`, `label0`
        FROM (
            SELECT `x`, `y`
            FROM (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`left_bag`
            )
            WHERE `x` IS NULL OR `x` > 1
        )
        CROSS JOIN (
            SELECT `label0`
            FROM (VALUES
                ('x''s')
            ) AS `values`(`label0`)
        )
    ) AS `unpivot`
)
WHERE `a``b` IS NOT NULL OR `c d.e` IS NOT NULL
