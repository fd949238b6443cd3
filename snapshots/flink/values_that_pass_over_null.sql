SELECT
    `order_id`,
    LAST_VALUE(`amount`) OVER (ORDER BY `order_id`) AS `last`,
    FIRST_VALUE(`status`) OVER (ORDER BY `order_id` DESC) AS `first`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
)
