SELECT UPPER(`sku`) AS `EXPR$0`, MAX(`quantity`) AS `EXPR$1`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY UPPER(`sku`)
