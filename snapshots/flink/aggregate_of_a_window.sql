SELECT `status`, MAX(`place`) AS `EXPR$0`
FROM (
    SELECT `status`, CAST(RANK() OVER (ORDER BY `amount`) AS INT) AS `place`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
)
GROUP BY `status`
