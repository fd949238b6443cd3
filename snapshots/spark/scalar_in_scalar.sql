SELECT
    `id`,
    (
        SELECT MIN(`order_id`) AS `EXPR$0`
        FROM (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM (
                SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
                FROM (
                    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
                    FROM `spark_catalog`.`programs`.`orders`
                )
                WHERE `customer_id` = `outer`.`id`
            ) AS `outer_1`
            WHERE (
                SELECT COUNT(1) AS `EXPR$0`
                FROM (
                    SELECT `line_order`, `sku`, `quantity`
                    FROM (
                        SELECT `line_order`, `sku`, `quantity`
                        FROM `spark_catalog`.`programs`.`lines`
                    )
                    WHERE `line_order` = `outer_1`.`order_id`
                )
            ) > 1
        )
    ) AS `first`
FROM (
    SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
    FROM `spark_catalog`.`programs`.`customers`
) AS `outer`
