SELECT CONCAT(CONCAT(CONCAT('#', `order_id`), '/'), `customer_id`) AS `k`
FROM `spark_catalog`.`programs`.`orders`
WHERE `order_id` = 100
