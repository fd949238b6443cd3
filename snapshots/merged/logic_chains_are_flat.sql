SELECT `sku`, `quantity`
FROM `spark_catalog`.`programs`.`lines`
WHERE `quantity` > 0
    AND `quantity` < 100
    AND `sku` <> 'ink'
    AND (`sku` = 'pen' OR `sku` = 'pad' OR `sku` = 'cap')
