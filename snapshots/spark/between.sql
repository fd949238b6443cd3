SELECT `sku`, `quantity` NOT BETWEEN 3 AND 9 AS `n`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `quantity` BETWEEN 2 AND 3
)
