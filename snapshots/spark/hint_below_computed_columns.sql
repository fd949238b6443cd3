SELECT `order_id`, `shouted`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`, `id`, `shouted`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
    INNER JOIN (
        SELECT `id`, UPPER(`name`) AS `shouted`
        FROM (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM (
                SELECT /*+ BROADCAST(`hinted`) */
                    `id`,
                    `name`,
                    `gender`,
                    `has_newsletter`,
                    `date_of_birth`,
                    `street`,
                    `zip_code`,
                    `city`
                FROM (
                    SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                    FROM `spark_catalog`.`programs`.`customers`
                ) AS `hinted`
            )
            WHERE `id` > 1
        )
    )
    ON `customer_id` = `id`
)
