SELECT `quantity`
FROM `spark_catalog`.`programs`.`lines`
WHERE `quantity` + 1 IN (3, 4)
    AND (`sku` = 'pen') IN (TRUE)
