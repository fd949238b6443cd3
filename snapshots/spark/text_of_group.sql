SELECT `EXPR$0` AS `t`
FROM (
    SELECT LISTAGG(`sku`, '|') AS `EXPR$0`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM `spark_catalog`.`programs`.`lines`
            )
            WHERE `line_order` = 100
        )
        WHERE `sku` = 'pen'
    )
)
