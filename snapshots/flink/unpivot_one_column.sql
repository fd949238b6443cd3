SELECT `x`, `label0` AS `n``m`, `y` AS `v.v`
FROM (
    SELECT `x`, `y`, `label0`
    FROM (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        WHERE `x` > 1
    )
    CROSS JOIN (
        SELECT `label0`
        FROM (VALUES
            ('y')
        ) AS `values`(`label0`)
    )
) AS `unpivot`
