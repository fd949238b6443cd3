SELECT `EXPR$1`, `EXPR$2`
FROM (
    SELECT `EXPR$0`.`start` AS `EXPR$1`, `EXPR$2`
    FROM (
        SELECT WINDOW(`ordered_at`, '364 days', '182 days') AS `EXPR$0`, MAX(`amount`) AS `EXPR$2`
        FROM (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        )
        GROUP BY WINDOW(`ordered_at`, '364 days', '182 days')
    )
)
WHERE `EXPR$2` > 50
