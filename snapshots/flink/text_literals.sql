SELECT 'it''s \ 
 é 😀 ${x} `y`' AS `s`, '' AS `e`, '	' AS `c`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `sku` = 'cap'
)
