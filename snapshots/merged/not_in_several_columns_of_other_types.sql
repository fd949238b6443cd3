SELECT `x`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE (`x`, `y`) NOT IN (
    SELECT `line_order`, `sku`
    FROM `spark_catalog`.`programs`.`lines`
    WHERE `quantity` IS NOT NULL
)
