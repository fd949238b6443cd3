SELECT ARRAY_AGG(`quantity`) AS `a`
FROM `spark_catalog`.`programs`.`lines`
WHERE `line_order` = 102
