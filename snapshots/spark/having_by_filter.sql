SELECT `status`, `s`
FROM (
    SELECT `status`, `EXPR$0` AS `s`
    FROM (
        SELECT `status`, SUM(`amount`) AS `EXPR$0`
        FROM (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        )
        GROUP BY `status`
    )
)
WHERE `s` > 100
