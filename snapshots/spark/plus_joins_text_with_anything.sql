SELECT CONCAT(CONCAT(CONCAT('#', `order_id`), '/'), `customer_id`) AS `k`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
    WHERE `order_id` = 100
)
