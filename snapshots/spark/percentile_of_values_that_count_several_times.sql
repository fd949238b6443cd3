SELECT PERCENTILE(`line_order`, 0.5D, `quantity`) AS `middle`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `quantity` IS NOT NULL
)
