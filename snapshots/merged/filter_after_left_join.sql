SELECT `customers`.`id`
FROM `spark_catalog`.`programs`.`customers`
LEFT OUTER JOIN `spark_catalog`.`programs`.`orders`
ON `customers`.`id` = `orders`.`customer_id` AND `orders`.`amount` > 10
WHERE `orders`.`order_id` IS NULL
