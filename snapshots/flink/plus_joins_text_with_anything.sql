SELECT
    CONCAT(CONCAT(CONCAT('#', CAST(`order_id` AS STRING)), '/'), CAST(`customer_id` AS STRING)) AS `k`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
    WHERE `order_id` = 100
)
