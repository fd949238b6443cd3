SELECT
    `EXPR$0` AS `city`,
    CAST(SUM(`amount` - CAST((
        SELECT MIN(`quantity`) AS `EXPR$0`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
    ) AS DECIMAL(10, 0))) AS DECIMAL(23, 2)) AS `s`
FROM (
    SELECT
        `order_id`,
        `customer_id`,
        `ordered_at`,
        `amount`,
        `discount`,
        `status`,
        (
            SELECT `city`
            FROM (
                SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                FROM (
                    SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                    FROM `spark_catalog`.`programs`.`customers`
                )
                WHERE `id` = `outer`.`customer_id`
            )
        ) AS `EXPR$0`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    ) AS `outer`
)
GROUP BY `EXPR$0`
