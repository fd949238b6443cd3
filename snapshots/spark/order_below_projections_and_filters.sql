SELECT UPPER(`quantity`) AS `line_order`
FROM (
    SELECT `quantity`, `line_order`
    FROM (
        SELECT `sku` AS `quantity`, `line_order`
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
