SELECT `line_order`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` IN ('pen', 'pad')
    AND `quantity` NOT IN (2, 3)
