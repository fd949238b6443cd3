SELECT
    CASE WHEN `order_id` = 100 THEN CAST(`order_id` AS DECIMAL(22, 2)) ELSE `amount` END AS `m`,
    CASE WHEN `order_id` = 100 THEN CAST(1 AS DOUBLE) ELSE `discount` END AS `d`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
    WHERE `order_id` < 102
)
