SELECT `line_order`, `sku`
FROM `spark_catalog`.`programs`.`lines` AS `outer_lines`
WHERE `quantity` * 2 < (
    SELECT AVG(`quantity`) * 2
    FROM `spark_catalog`.`programs`.`lines`
    WHERE `sku` = `outer_lines`.`sku`
)
