SELECT `customers`.`name`, SUM(`lines`.`quantity`) AS `pieces`
FROM `spark_catalog`.`programs`.`customers`
INNER JOIN `spark_catalog`.`programs`.`orders`
ON `customers`.`id` = `orders`.`customer_id`
INNER JOIN `spark_catalog`.`programs`.`lines`
ON `orders`.`order_id` = `lines`.`line_order`
GROUP BY `customers`.`name`
