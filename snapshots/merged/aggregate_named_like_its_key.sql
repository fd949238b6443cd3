SELECT `sku` AS `quantity`, SUM(`quantity`) AS `line_order`, MIN(`line_order`) AS `sku`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY `sku`
