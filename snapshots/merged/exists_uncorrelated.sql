SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE EXISTS (
    SELECT `a`, `b`
    FROM `spark_catalog`.`programs`.`nothing`
) OR NOT EXISTS (
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
) OR `x` = 2
