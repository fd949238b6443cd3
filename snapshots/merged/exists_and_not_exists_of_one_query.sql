SELECT `order_id`
FROM `spark_catalog`.`programs`.`orders`
WHERE EXISTS (
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
    WHERE `line_order` = `orders`.`order_id`
)
    AND NOT EXISTS (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
        WHERE `line_order` = `orders`.`order_id`
            AND `quantity` > 5
    )
