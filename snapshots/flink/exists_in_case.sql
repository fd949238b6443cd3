SELECT
    `order_id`,
    CASE WHEN EXISTS (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        WHERE `line_order` = `outer`.`order_id`
    ) THEN 'lines' ELSE 'none' END AS `has`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
) AS `outer`
