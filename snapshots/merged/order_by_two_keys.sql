SELECT `order_id`
FROM `spark_catalog`.`programs`.`orders`
ORDER BY `status`, `order_id` DESC
