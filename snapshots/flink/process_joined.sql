SELECT `a`, `b`, `customer_id`, `count`
FROM (
    SELECT `id` AS `a`, `count` AS `b`
    FROM (
        SELECT `id`, `count`
        FROM `by_set`(
            `r` => (
                SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                FROM `spark_catalog`.`programs`.`customers`
            ) PARTITION BY (`id`),
            `i` => CAST(1 AS BIGINT),
            `uid` => 'one'
        )
    )
)
INNER JOIN (
    SELECT `customer_id`, `count`
    FROM `by_set`(
        `r` => (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        ) PARTITION BY (`customer_id`),
        `i` => CAST(1 AS BIGINT),
        `uid` => 'two'
    )
)
ON `a` = `customer_id`
