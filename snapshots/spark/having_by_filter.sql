SELECT `status`, `s`
FROM (
    SELECT `status`, SUM(`amount`) AS `s`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
    GROUP BY `status`
)
WHERE `s` > 100
