SELECT `customers`.`id`, `orders`.`order_id`
FROM `spark_catalog`.`programs`.`customers`
LEFT OUTER JOIN `spark_catalog`.`programs`.`orders`
ON `customers`.`id` = `orders`.`customer_id` AND EXISTS (
    SELECT *
    FROM `spark_catalog`.`programs`.`lines`
    WHERE `line_order` = `orders`.`order_id`
)
