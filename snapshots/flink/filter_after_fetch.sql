SELECT `order_id`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        )
        ORDER BY `order_id` DESC
        FETCH NEXT 3 ROWS ONLY
    )
    WHERE `order_id` > 103
)
