SELECT `name`
FROM `spark_catalog`.`programs`.`customers`
WHERE `city` COLLATE UTF8_LCASE = 'BERLIN'
