SELECT
    `line_order`,
    LISTAGG(`sku`, ', ') WITHIN GROUP (ORDER BY `quantity` DESC NULLS FIRST, `sku`) AS `skus`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY `line_order`
