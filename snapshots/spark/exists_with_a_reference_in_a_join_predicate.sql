SELECT `id`
FROM (
    SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
    FROM (
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM `spark_catalog`.`programs`.`customers`
    ) AS `outer`
    WHERE EXISTS (
        SELECT
            `order_id`,
            `customer_id`,
            `ordered_at`,
            `amount`,
            `discount`,
            `status`,
            `line_order`,
            `sku`,
            `quantity`
        FROM (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        )
        CROSS JOIN (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        ON `order_id` = `line_order` AND `customer_id` = `outer`.`id`
    )
)
