SELECT `status`, `order_id`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`, `EXPR$0`
        FROM (
            SELECT
                `order_id`,
                `customer_id`,
                `ordered_at`,
                `amount`,
                `discount`,
                `status`,
                ROW_NUMBER() OVER (PARTITION BY `status` ORDER BY `order_id` DESC) AS `EXPR$0`
            FROM (
                SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
                FROM `spark_catalog`.`programs`.`orders`
            )
        )
        WHERE `EXPR$0` = 1
    )
)
