SELECT `line_order`, `sku`, `quantity`, CONCAT(`sku`, '-', CAST(`quantity` AS STRING)) AS `k`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `line_order` = 100
)
