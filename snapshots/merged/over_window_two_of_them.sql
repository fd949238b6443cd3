SELECT
    `line_order`,
    `sku`,
    SUM(`quantity`) OVER (
        PARTITION BY `sku`
        ORDER BY `line_order`
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS `_c2`,
    SUM(`quantity`) OVER (ORDER BY `line_order`, `sku` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS `_c3`
FROM `spark_catalog`.`programs`.`lines`
