SELECT `customers`.`id`, `orders`.`order_id`
FROM `spark_catalog`.`programs`.`customers`
FULL OUTER JOIN `spark_catalog`.`programs`.`orders`
ON `customers`.`id` = `orders`.`customer_id`
WHERE `customers`.`id` IS NULL OR `orders`.`order_id` IS NULL
