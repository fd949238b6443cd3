SELECT `line_order`
FROM (
    SELECT UPPER(`quantity`) AS `line_order`, `sort_key_0`, `quantity` AS `sort_key_1`
    FROM (
        SELECT `quantity`, `line_order`, `sort_key_0`
        FROM (
            SELECT `sku` AS `quantity`, `line_order`, `quantity` AS `sort_key_0`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM (
                    SELECT `line_order`, `sku`, `quantity`
                    FROM `spark_catalog`.`programs`.`lines`
                )
                ORDER BY `quantity` DESC, `sku`
            )
        )
        WHERE `line_order` < 999
    )
) AS `sorted`
ORDER BY `sort_key_0` DESC, `sort_key_1`
