SELECT `sku`, `quantity`
FROM (
    SELECT `sku`, `quantity`, `quantity` % 3 AS `EXPR$2`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        WHERE `quantity` IS NOT NULL
    )
)
ORDER BY `EXPR$2`, `quantity`, `sku`
