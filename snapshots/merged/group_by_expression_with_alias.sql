SELECT `line_order` % 2 AS `odd`, SUM(`quantity`) AS `q`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY `line_order` % 2
