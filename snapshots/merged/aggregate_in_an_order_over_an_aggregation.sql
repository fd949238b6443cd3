WITH `lines_by_sku` AS (
    SELECT `sku`, SUM(`quantity`) AS `q`
    FROM `spark_catalog`.`programs`.`lines`
    GROUP BY `sku`
)
SELECT LISTAGG(`sku`, ',') WITHIN GROUP (ORDER BY `q` DESC, `sku`) AS `skus`
FROM `lines_by_sku`
