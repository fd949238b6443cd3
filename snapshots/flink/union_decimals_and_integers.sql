(
    SELECT `amount`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        )
        WHERE `order_id` = 100
    )
) UNION ALL (
    SELECT CAST(`quantity` AS DECIMAL(12, 2)) AS `quantity`
    FROM (
        SELECT `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM `spark_catalog`.`programs`.`lines`
            )
            WHERE `sku` = 'pad'
        )
    ) AS `cast`
)
