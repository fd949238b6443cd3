SELECT `line_order`, `sku`
FROM `spark_catalog`.`programs`.`lines` AS `outer_lines`
WHERE EXISTS (
    SELECT `quantity` AS `q`
    FROM `spark_catalog`.`programs`.`lines`
    WHERE `line_order` = `outer_lines`.`line_order`
        AND `sku` <> `outer_lines`.`sku`
        AND `quantity` IS NOT NULL
)
