SELECT `line_order` % 2 AS `odd`, SUM(`quantity`) AS `q`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
)
GROUP BY `line_order` % 2
