SELECT `order_id`, `q`, `n`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`, `q`, `n`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    ) AS `outer`
    LEFT OUTER JOIN LATERAL (
        SELECT `EXPR$0` AS `q`, `EXPR$1` AS `n`
        FROM (
            SELECT SUM(`quantity`) AS `EXPR$0`, COUNT(1) AS `EXPR$1`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM (
                    SELECT `line_order`, `sku`, `quantity`
                    FROM `spark_catalog`.`programs`.`lines`
                )
                WHERE `line_order` = `outer`.`order_id`
            )
        )
    )
    ON `n` > 0 AND `amount` < 50
)
