SELECT `order_id`, `sku`, `quantity`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`, `sku`, `quantity`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    ) AS `outer`
    INNER JOIN LATERAL (
        SELECT `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM (
                    SELECT `line_order`, `sku`, `quantity`
                    FROM `spark_catalog`.`programs`.`lines`
                )
                WHERE `line_order` = `outer`.`order_id`
            )
            ORDER BY `quantity` DESC
            LIMIT 1
        )
    )
)
