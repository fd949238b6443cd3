SELECT CONCAT(`sku`, '!') AS `_c0`, SUM(`quantity`) * 2 AS `_c1`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY `sku`
