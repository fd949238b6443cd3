SELECT
    `line_order`,
    `sku`,
    SUM(CAST(`quantity` AS BIGINT)) OVER (
        PARTITION BY `sku`
        ORDER BY `line_order`
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS `_c2`,
    SUM(CAST(`quantity` AS BIGINT)) OVER (
        ORDER BY `line_order`, `sku`
        ROWS BETWEEN 1 PRECEDING AND CURRENT ROW
    ) AS `_c3`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
)
