SELECT `line_order`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` IN ('pen', 'pad')
    AND NOT `quantity` IN (2, 3)
