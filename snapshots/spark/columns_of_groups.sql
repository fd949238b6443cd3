SELECT `sku`, MAX(`quantity`) AS `EXPR$0`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
)
GROUP BY `sku`
