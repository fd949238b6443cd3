SELECT UPPER(`sku`) AS `u`, SUM(`quantity`) * 10 + COUNT(`quantity`) AS `e`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY `sku`
