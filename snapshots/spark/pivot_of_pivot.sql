SELECT `status`, `one`, `two`
FROM (
    SELECT `status`, `customer_id`, `high`
    FROM (
        SELECT `customer_id`, `status`, `high`
        FROM (
            SELECT `customer_id`, `status`, `amount` > 6 AS `_c2`
            FROM (
                SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
                FROM `spark_catalog`.`programs`.`orders`
            )
        )
        PIVOT (
            COUNT(1)
            FOR `_c2` IN (TRUE AS `high`)
        )
    )
)
PIVOT (
    SUM(`high`)
    FOR `customer_id` IN (1 AS `one`, 2 AS `two`)
)
