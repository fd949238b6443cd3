SELECT `id`, `name`
FROM `spark_catalog`.`programs`.`customers`
WHERE NOT EXISTS (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
    WHERE `customer_id` = `customers`.`id`
)
