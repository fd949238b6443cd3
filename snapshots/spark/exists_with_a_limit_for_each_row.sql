SELECT `order_id`, `most`
FROM (
    SELECT
        `order_id`,
        (
            SELECT `sku`
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
        ) AS `most`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    ) AS `outer`
)
WHERE `order_id` < 104
