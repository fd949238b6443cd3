(
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
    ORDER BY `quantity` DESC
    LIMIT 1
)
UNION ALL
(
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
    ORDER BY `line_order` DESC
    LIMIT 1
)
