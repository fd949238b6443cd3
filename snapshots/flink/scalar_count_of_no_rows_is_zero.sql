SELECT
    `id`,
    (
        SELECT COUNT(1) AS `EXPR$0`
        FROM (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM (
                SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
                FROM `spark_catalog`.`programs`.`orders`
            )
            WHERE `customer_id` = `outer`.`id`
        )
    ) + 0 AS `n`
FROM (
    SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
    FROM `spark_catalog`.`programs`.`customers`
) AS `outer`
