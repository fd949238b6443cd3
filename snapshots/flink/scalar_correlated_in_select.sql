SELECT
    `order_id`,
    (
        SELECT SUM(CAST(`quantity` AS BIGINT)) AS `q`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM `spark_catalog`.`programs`.`lines`
            )
            WHERE `line_order` = `outer`.`order_id`
        )
    ) AS `quantity`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
) AS `outer`
