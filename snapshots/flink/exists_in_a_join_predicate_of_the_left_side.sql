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
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM `spark_catalog`.`programs`.`customers`
    ) AS `outer_left`
    INNER JOIN (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
    ON `id` = `customer_id` AND NOT EXISTS (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`right_bag`
        )
        WHERE `x` = `outer_left`.`id` AND `y` IS NULL
    )
)
