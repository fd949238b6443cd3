SELECT `order_id`, `what`, `value`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`, `what`, `value`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        )
        WHERE `order_id` = 100
    )
    INNER JOIN LATERAL STACK(
        2,
        'amount',
        CAST(`amount` AS DOUBLE),
        'discount',
        `discount`
    ) AS `lateral`(`what`, `value`)
)
