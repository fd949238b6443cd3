SELECT `sku`, `quantity`
FROM `spark_catalog`.`programs`.`lines`
WHERE `quantity` IN (
    SELECT `x`
    FROM `spark_catalog`.`programs`.`right_bag`
    WHERE `x` >= `lines`.`quantity`
)
