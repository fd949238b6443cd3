SELECT `name`, SUM(`quantity`) AS `pieces`
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
        `status`,
        `line_order`,
        `sku`,
        `quantity`
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
        INNER JOIN (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        )
        ON `id` = `customer_id`
    )
    INNER JOIN (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    ON `order_id` = `line_order`
)
GROUP BY `name`
