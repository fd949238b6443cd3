SELECT
    `sku`,
    `line_order`,
    SUM(`quantity`) OVER (PARTITION BY `sku` ORDER BY `line_order`) AS `total`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
)
