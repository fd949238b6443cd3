SELECT `EXPR$0` AS `a`
FROM (
    SELECT ARRAY_AGG(`quantity`) AS `EXPR$0`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        WHERE `line_order` = 102
    )
)
