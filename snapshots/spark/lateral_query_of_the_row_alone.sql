SELECT `line_order`, `sku`, `quantity`, `s`, `y`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `line_order` = 100
) AS `outer`
INNER JOIN LATERAL (
    SELECT `x` + `outer`.`quantity` AS `s`, `y`
    FROM (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        WHERE `y` IS NOT NULL AND `x` < `outer`.`quantity`
    )
)
