SELECT
    `line_order`,
    SUM(`quantity`) OVER (ORDER BY `line_order` ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) AS `s`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` <> 'pen'
