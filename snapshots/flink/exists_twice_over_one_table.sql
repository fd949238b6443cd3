SELECT `line_order`, `quantity`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    ) AS `outer`
    WHERE EXISTS (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`right_bag`
        )
        WHERE `x` = `outer`.`quantity`
    ) AND NOT EXISTS (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`right_bag`
        )
        WHERE `x` = `outer`.`quantity` + 1
    )
)
