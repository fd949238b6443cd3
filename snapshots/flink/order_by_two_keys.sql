SELECT `order_id`
FROM (
    SELECT `order_id`, `status` AS `sort_key_0`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        )
        ORDER BY `status`, `order_id` DESC
    )
) AS `sorted`
ORDER BY `sort_key_0`, `order_id` DESC
