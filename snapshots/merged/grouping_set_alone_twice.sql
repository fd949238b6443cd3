SELECT `sku`, SUM(`quantity`) AS `s`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY GROUPING SETS ((`sku`), (`sku`))
HAVING SUM(`quantity`) > 4
