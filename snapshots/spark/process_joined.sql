SELECT `a`, `b`, `customer_id`, `count`
FROM (
    SELECT `id` AS `a`, `count` AS `b`
    FROM (
        SELECT `id`, `count`
        FROM `by_set`(
            `r` => TABLE(
                SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                FROM `spark_catalog`.`programs`.`customers`
            ) PARTITION BY (`id`),
            `i` => 1L,
            `uid` => 'one'
        )
    )
)
INNER JOIN (
    SELECT `customer_id`, `count`
    FROM `by_set`(
        `r` => TABLE(
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        ) PARTITION BY (`customer_id`),
        `i` => 1L,
        `uid` => 'two'
    )
)
ON `a` = `customer_id`
