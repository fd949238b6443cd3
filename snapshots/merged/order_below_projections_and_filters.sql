WITH `lines_selected` AS (
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
    ORDER BY `quantity` DESC, `sku`
)
SELECT UPPER(`sku`) AS `line_order`
FROM `lines_selected`
WHERE `line_order` < 999
