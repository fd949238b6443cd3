SELECT `order_id`, `name`
FROM (
    SELECT
        `order_id`,
        `customer_id`,
        `ordered_at`,
        `amount`,
        `discount`,
        `status`,
        `id`,
        `name`,
        `gender`,
        `has_newsletter`,
        `date_of_birth`,
        `street`,
        `zip_code`,
        `city`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
    INNER JOIN (
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
    ON `customer_id` = `id`
)
