(
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    ORDER BY `quantity` DESC
    FETCH NEXT 1 ROWS ONLY
) UNION ALL (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    ORDER BY `line_order` DESC
    FETCH NEXT 1 ROWS ONLY
)
