SELECT `customer_id`, `count` + 1 AS `more`
FROM (
    SELECT `customer_id`, `count`, `rowtime`
    FROM `by_set`(
        `r` => (
            SELECT `customer_id`, `count`, `rowtime`
            FROM (
                SELECT `customer_id`, `count`, `rowtime`
                FROM `count_with_timeout`(
                    `input` => (
                        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
                        FROM (
                            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
                            FROM `spark_catalog`.`programs`.`orders`
                        )
                        WHERE `amount` > CAST(10 AS DECIMAL(10, 2))
                    ) PARTITION BY (`customer_id`),
                    `on_time` => DESCRIPTOR(`ordered_at`)
                )
            )
            WHERE `count` > 1
        ) PARTITION BY (`customer_id`),
        `i` => CAST(1 AS BIGINT),
        `on_time` => DESCRIPTOR(`rowtime`)
    )
)
