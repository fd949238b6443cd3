SELECT `status`
FROM (
    SELECT DISTINCT `status`
    FROM (
        SELECT `status`
        FROM (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        )
    )
)
WHERE `status` IS NOT NULL
