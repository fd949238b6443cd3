SELECT `id`
FROM `spark_catalog`.`programs`.`customers`
WHERE EXISTS (
    SELECT *
    FROM `spark_catalog`.`programs`.`orders`
    CROSS JOIN `spark_catalog`.`programs`.`lines`
    ON `orders`.`order_id` = `lines`.`line_order` AND `orders`.`customer_id` = `customers`.`id`
)
