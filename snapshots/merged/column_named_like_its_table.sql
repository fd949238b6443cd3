SELECT NAMED_STRUCT('sku', `quantity`).`sku` AS `q`, `sku`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` = 'pad'
