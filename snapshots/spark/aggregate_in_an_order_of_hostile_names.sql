SELECT LISTAGG(`a``b`, '`') WITHIN GROUP (ORDER BY `EXPR$0` DESC, `a``b`) AS `EXPR$0`
FROM (
    SELECT `line_order`, `sku` AS `a``b`, `quantity` AS `EXPR$0`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
)
