SELECT `order_id`
FROM `spark_catalog`.`programs`.`orders`
ORDER BY `order_id`
LIMIT 2
OFFSET 1
