SELECT `sku`, `percent`
FROM (
    SELECT `sku`, `quantity` * 100 / SUM(`quantity`) OVER () AS `percent`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
)
WHERE `sku` = 'pad'
