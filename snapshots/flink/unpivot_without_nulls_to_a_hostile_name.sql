SELECT `x`, `EXPR$0`, `EXPR$1`
FROM (
    SELECT `x`, `label0` AS `EXPR$0`, `y` AS `EXPR$1`
    FROM (
        SELECT `x`, `y`, `label0`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        CROSS JOIN (
            SELECT `label0`
            FROM (VALUES
                ('y')
            ) AS `values`(`label0`)
        )
    ) AS `unpivot`
)
WHERE `EXPR$1` IS NOT NULL
