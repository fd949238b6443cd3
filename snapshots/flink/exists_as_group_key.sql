SELECT `has_lines`, `total`
FROM (
    SELECT `EXPR$0` AS `has_lines`, CAST(SUM(`amount`) AS DECIMAL(20, 2)) AS `total`
    FROM (
        SELECT
            `order_id`,
            `customer_id`,
            `ordered_at`,
            `amount`,
            `discount`,
            `status`,
            EXISTS (
                SELECT `line_order`, `sku`, `quantity`
                FROM (
                    SELECT `line_order`, `sku`, `quantity`
                    FROM `spark_catalog`.`programs`.`lines`
                )
                WHERE `line_order` = `outer`.`order_id`
            ) AS `EXPR$0`
        FROM (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        ) AS `outer`
    )
    GROUP BY `EXPR$0`
)
ORDER BY `has_lines`
