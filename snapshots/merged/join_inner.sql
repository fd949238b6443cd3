SELECT `customers`.`name`, `orders`.`order_id`
FROM `spark_catalog`.`programs`.`customers`
INNER JOIN `spark_catalog`.`programs`.`orders`
ON `customers`.`id` = `orders`.`customer_id`
