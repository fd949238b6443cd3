SELECT `status`, `s`
FROM (
    SELECT `status`, CAST(SUM(`amount`) AS DECIMAL(20, 2)) AS `s`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
    GROUP BY `status`
)
WHERE `s` > CAST(100 AS DECIMAL(20, 2))
