SELECT `EXPR$0` AS `n`, `EXPR$1` AS `m`
FROM (
    SELECT
        COUNT(1) FILTER (WHERE EXISTS (
            SELECT `line_order`, `sku`, `quantity`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM `spark_catalog`.`programs`.`lines`
            )
            WHERE `line_order` = `outer`.`order_id`
        )) AS `EXPR$0`,
        MAX(`amount`) FILTER (WHERE `status` IN (
            SELECT `status`
            FROM (
                SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
                FROM (
                    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
                    FROM `spark_catalog`.`programs`.`orders`
                )
                WHERE `amount` < 1
            )
        )) AS `EXPR$1`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    ) AS `outer`
)
