SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
FROM (
    SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
    FROM `spark_catalog`.`programs`.`customers`
)
WHERE `id` IN (
    SELECT `customer_id`
    FROM (
        SELECT `customer_id`, `count`
        FROM `by_set`(
            `r` => TABLE(
                SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
                FROM `spark_catalog`.`programs`.`orders`
            ) PARTITION BY (`customer_id`),
            `i` => 1L
        )
    )
)
