SELECT
    `line_order`,
    ARRAY_AGG(`quantity`) OVER (ORDER BY `line_order`) AS `_c1`,
    LISTAGG(`sku`, '+') OVER (ORDER BY `line_order`) AS `_c2`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` = 'pen'
