SELECT `id`, `order_id`
FROM (
    SELECT
        `id`,
        `name`,
        `gender`,
        `has_newsletter`,
        `date_of_birth`,
        `street`,
        `zip_code`,
        `city`,
        `order_id`,
        `customer_id`,
        `ordered_at`,
        `amount`,
        `discount`,
        `status`
    FROM (
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM `spark_catalog`.`programs`.`customers`
    )
    LEFT OUTER JOIN (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    ) AS `outer_right`
    ON `id` = `customer_id` AND EXISTS (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        WHERE `line_order` = `outer_right`.`order_id`
    )
)
