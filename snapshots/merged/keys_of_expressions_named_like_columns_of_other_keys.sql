SELECT `quantity` % 2 AS `line_order`, `line_order` + 1 AS `quantity`, COUNT(1) AS `sku`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY `quantity` % 2, `line_order` + 1
