SELECT CAST(ARRAY() AS ARRAY<INT>) AS `a`, CAST(MAP() AS MAP<STRING, INT>) AS `m`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` = 'cap'
