SELECT LISTAGG(`sku`, ',') WITHIN GROUP (ORDER BY `q` DESC, `sku`) AS `skus`
FROM (
    SELECT `sku`, SUM(`quantity`) AS `q`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    GROUP BY `sku`
)
