SELECT `sku`, `quantity`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    ) AS `outer`
    WHERE `quantity` IN (
        SELECT `x`
        FROM (
            SELECT `x`, `y`
            FROM (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`right_bag`
            )
            WHERE `x` >= `outer`.`quantity`
        )
    )
)
