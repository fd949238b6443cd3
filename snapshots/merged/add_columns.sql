SELECT `line_order`, `sku`, `quantity`, CONCAT(`sku`, '-', `quantity`) AS `k`
FROM `spark_catalog`.`programs`.`lines`
WHERE `line_order` = 100
