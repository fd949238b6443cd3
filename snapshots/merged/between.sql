SELECT `sku`, `quantity` NOT BETWEEN 3 AND 9 AS `n`
FROM `spark_catalog`.`programs`.`lines`
WHERE `quantity` BETWEEN 2 AND 3
