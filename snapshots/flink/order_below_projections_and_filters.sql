SELECT `line_order`
FROM (
    SELECT UPPER(`quantity`) AS `line_order`, `EXPR$2`, `quantity`
    FROM (
        SELECT `quantity`, `line_order`, `EXPR$2`
        FROM (
            SELECT `sku` AS `quantity`, `line_order`, `quantity` AS `EXPR$2`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM `spark_catalog`.`programs`.`lines`
            )
        )
        WHERE `line_order` < 999
    )
)
ORDER BY `EXPR$2` DESC, `quantity`
