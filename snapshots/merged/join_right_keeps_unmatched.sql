SELECT `customers`.`id`, `orders`.`order_id`
FROM `spark_catalog`.`programs`.`customers`
RIGHT OUTER JOIN `spark_catalog`.`programs`.`orders`
ON `customers`.`id` = `orders`.`customer_id`
