SELECT
    `sku`,
    `line_order`,
    SUM(`quantity`) OVER (PARTITION BY `sku` ORDER BY `line_order`) AS `total`
FROM `spark_catalog`.`programs`.`lines`
