SELECT `lines`.`sku`, `lines_2`.`sku` AS `s2`
FROM `spark_catalog`.`programs`.`lines`
INNER JOIN `spark_catalog`.`programs`.`lines` AS `lines_2`
ON `lines`.`line_order` = `lines_2`.`line_order` AND `lines`.`sku` < `lines_2`.`sku`
