SELECT `EXPR$0` AS `a`, `EXPR$1` AS `b`
FROM (
    SELECT FIRST_VALUE(`quantity`) AS `EXPR$0`, LAST_VALUE(`quantity`) AS `EXPR$1`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        WHERE `sku` = 'pad'
    )
)
