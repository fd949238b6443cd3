SELECT `customer_id`, `count`, `rowtime`
FROM `count_with_timeout`(
    `input` => TABLE(
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    ) PARTITION BY (`customer_id`),
    `on_time` => DESCRIPTOR(`ordered_at`),
    `uid` => 'main-counting'
)
