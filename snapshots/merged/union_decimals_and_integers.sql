SELECT `amount`
FROM `spark_catalog`.`programs`.`orders`
WHERE `order_id` = 100
UNION ALL
SELECT `quantity`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` = 'pad'
