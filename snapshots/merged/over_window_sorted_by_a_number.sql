SELECT `line_order`, `sku`, COUNT(1) OVER (PARTITION BY `sku` ORDER BY `quantity`) AS `n`
FROM `spark_catalog`.`programs`.`lines`
