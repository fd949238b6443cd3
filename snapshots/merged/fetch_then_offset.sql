WITH `orders_top` AS (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
    ORDER BY `order_id`
    LIMIT 4
)
SELECT `order_id`
FROM `orders_top`
OFFSET 3
