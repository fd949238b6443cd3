SELECT `sku`, `quantity`
FROM `spark_catalog`.`programs`.`lines`
WHERE `quantity` IS NOT NULL
ORDER BY `quantity` % 3, `quantity`, `sku`
