WITH `lines_sorted` AS (
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
    ORDER BY `quantity` DESC, `sku`
)
SELECT UPPER(`sku`) AS `line_order`
FROM `lines_sorted`
WHERE `line_order` < 999
