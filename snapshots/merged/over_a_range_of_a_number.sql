SELECT
    `line_order`,
    SUM(`quantity`) OVER (ORDER BY `line_order` RANGE BETWEEN 5 PRECEDING AND 2 FOLLOWING) AS `s`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` <> 'pen'
