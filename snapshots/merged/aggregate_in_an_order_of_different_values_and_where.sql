SELECT
    LISTAGG(DISTINCT `sku`, '|') WITHIN GROUP (ORDER BY `sku` DESC) AS `skus`,
    LISTAGG(`sku`, '|') WITHIN GROUP (ORDER BY 1) FILTER (WHERE `line_order` = 101) AS `one`
FROM `spark_catalog`.`programs`.`lines`
