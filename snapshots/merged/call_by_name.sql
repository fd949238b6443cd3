SELECT UPPER(`sku`) AS `a`, CHAR_LENGTH('日本') AS `b`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` = 'cap'
