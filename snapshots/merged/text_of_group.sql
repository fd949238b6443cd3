SELECT LISTAGG(`sku`, '|') AS `t`
FROM `spark_catalog`.`programs`.`lines`
WHERE `line_order` = 100
    AND `sku` = 'pen'
