SELECT
    `amount` = 20 AS `decimal_int`,
    `order_id` = '100' AS `int_text`,
    `discount` < 0.5 AS `double_decimal`,
    `ordered_at` > DATE '2024-01-31' AS `timestamp_date`
FROM `spark_catalog`.`programs`.`orders`
WHERE `order_id` = 100
