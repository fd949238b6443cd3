SELECT `name`
FROM `spark_catalog`.`programs`.`customers`
WHERE EXISTS (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
    WHERE `customer_id` = `customers`.`id`
        AND EXISTS (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
            WHERE `line_order` = `orders`.`order_id`
                AND `quantity` > 5
        )
)
