SELECT `order_id`, `q`, `n`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`, `q`, `n`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    ) AS `outer`
    LEFT OUTER JOIN LATERAL (
        SELECT SUM(`quantity`) AS `q`, COUNT(1) AS `n`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM `spark_catalog`.`programs`.`lines`
            )
            WHERE `line_order` = `outer`.`order_id`
        )
    ) AS `lateral`(`q`, `n`)
    ON `n` > 0 AND `amount` < 50
)
