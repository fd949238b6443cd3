SELECT `order_id`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    ) AS `outer`
    WHERE EXISTS (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        WHERE `line_order` = `outer`.`order_id`
    ) AND NOT EXISTS (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM `spark_catalog`.`programs`.`lines`
            )
            WHERE `line_order` = `outer`.`order_id`
        )
        WHERE `quantity` > 5
    )
)
