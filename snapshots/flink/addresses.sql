SELECT `address`, `none`, `not one`, `again`
FROM (
    SELECT
        INET_NTOA(`order_id`) AS `address`,
        INET_NTOA(-`order_id`) AS `none`,
        INET_ATON(`status`) AS `not one`,
        INET_ATON(INET_NTOA(`order_id`)) AS `again`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
)
WHERE `address` = '0.0.0.100'
