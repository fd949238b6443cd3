SELECT `sku`, MAX(`quantity`) AS `EXPR$0`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY `sku`
