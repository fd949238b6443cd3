SELECT
    `line_order`,
    SUM(`quantity`) OVER (ORDER BY `line_order` ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS `s`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` <> 'pen'
