SELECT FIRST_VALUE(`quantity`) AS `a`, LAST_VALUE(`quantity`) AS `b`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` = 'pad'
