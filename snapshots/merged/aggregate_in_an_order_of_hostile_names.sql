SELECT LISTAGG(`sku`, '`') WITHIN GROUP (ORDER BY `quantity` DESC, `sku`) AS `EXPR$0`
FROM `spark_catalog`.`programs`.`lines`
