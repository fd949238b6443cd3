SELECT `line_order`, `sku`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    ) AS `outer`
    WHERE `quantity` * 2 < (
        SELECT AVG(`quantity`) * 2 AS `m`
        FROM (
            SELECT `o`, `sku`, `quantity`
            FROM (
                SELECT `line_order` AS `o`, `sku`, `quantity`
                FROM (
                    SELECT `line_order`, `sku`, `quantity`
                    FROM `spark_catalog`.`programs`.`lines`
                )
            )
            WHERE `sku` = `outer`.`sku`
        )
    )
)
