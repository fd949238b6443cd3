SELECT FIRST_VALUE(`quantity`) AS `a`, LAST_VALUE(`quantity`) AS `b`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `sku` = 'pad'
)
