SELECT ANY_VALUE(`line_order`) AS `some`, ANY_VALUE(`quantity`) IGNORE NULLS IS NULL AS `none`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY `line_order`
