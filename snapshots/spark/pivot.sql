SELECT `customer_id`, `paid`, `open`
FROM (
    SELECT `customer_id`, `status`, `amount`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
)
PIVOT (
    SUM(`amount`)
    FOR `status` IN ('paid' AS `paid`, 'open' AS `open`)
)
