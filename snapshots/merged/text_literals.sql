SELECT 'it\'s \\ \n é 😀 \u0024{x} `y`' AS `s`, '' AS `e`, '\t\u0001\u007f' AS `c`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` = 'cap'
