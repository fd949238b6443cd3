SELECT
    `line_order`,
    SUM(`quantity`) OVER (ORDER BY `line_order` ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING) AS `s`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` <> 'pen'
