SELECT `id`
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
        )
        ON `id` = `customer_id` AND `amount` > CAST(10 AS DECIMAL(10, 2))
    )
    WHERE `order_id` IS NULL
)
