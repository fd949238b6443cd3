SELECT UPPER(`sku`) AS `a`, CHAR_LENGTH('日本') AS `b`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `sku` = 'cap'
)
