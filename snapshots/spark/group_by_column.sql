SELECT `status`, `EXPR$0` AS `total`, `EXPR$1` AS `orders`
FROM (
    SELECT `status`, SUM(`amount`) AS `EXPR$0`, COUNT(1) AS `EXPR$1`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
    GROUP BY `status`
)
