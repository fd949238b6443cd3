SELECT PERCENTILE(`line_order`, 0.5D, `quantity`) AS `middle`
FROM `spark_catalog`.`programs`.`lines`
WHERE `quantity` IS NOT NULL
