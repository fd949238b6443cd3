SELECT
    `sku` AS `quantity`,
    SUM(CAST(`quantity` AS BIGINT)) AS `line_order`,
    MIN(`line_order`) AS `sku`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
)
GROUP BY `sku`
