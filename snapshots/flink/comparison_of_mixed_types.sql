SELECT
    `amount` = CAST(20 AS DECIMAL(10, 2)) AS `decimal_int`,
    `order_id` = CAST('100' AS BIGINT) AS `int_text`,
    `discount` < CAST(CAST(0.5 AS DECIMAL(1, 1)) AS DOUBLE) AS `double_decimal`,
    `ordered_at` > CAST(DATE '2024-01-31' AS TIMESTAMP(6)) AS `timestamp_date`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
    WHERE `order_id` = 100
)
