SELECT `order_id`
FROM (
    SELECT `order_id`, `status`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
)
ORDER BY `status`, `order_id` DESC
