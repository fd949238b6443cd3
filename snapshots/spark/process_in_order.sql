SELECT `customer_id`, `name`, `score`, `rowtime`
FROM `timed`(
    `r` => TABLE(
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    ) PARTITION BY (`customer_id`) ORDER BY (`ordered_at` ASC, `amount` DESC),
    `on_time` => DESCRIPTOR(`ordered_at`)
)
