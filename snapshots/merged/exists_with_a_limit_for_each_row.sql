SELECT
    `order_id`,
    (
        SELECT `sku`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
            WHERE `line_order` = `orders`.`order_id`
            ORDER BY `quantity` DESC
            LIMIT 1
        )
    ) AS `most`
FROM `spark_catalog`.`programs`.`orders`
WHERE `order_id` < 104
