SELECT TIME_BUCKET(INTERVAL '1' MONTH, `ordered_at`) AS `month`, COUNT(1) AS `orders`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
)
GROUP BY TIME_BUCKET(INTERVAL '1' MONTH, `ordered_at`)
