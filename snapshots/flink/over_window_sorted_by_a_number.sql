SELECT `line_order`, `sku`, COUNT(1) OVER (PARTITION BY `sku` ORDER BY `quantity`) AS `n`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
)
