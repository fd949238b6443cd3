SELECT `sku`, `quantity`
FROM (
    SELECT `sku`, `quantity`, `quantity` % 3 AS `sort_key_0`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM `spark_catalog`.`programs`.`lines`
            )
            WHERE `quantity` IS NOT NULL
        )
        ORDER BY `quantity` % 3, `quantity`, `sku`
    )
) AS `sorted`
ORDER BY `sort_key_0`, `quantity`, `sku`
