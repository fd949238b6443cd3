SELECT
    `order_id`,
    COUNT(1) OVER (
        ORDER BY `ordered_at`
        RANGE BETWEEN INTERVAL '0-1' YEAR TO MONTH PRECEDING AND INTERVAL '1-0' YEAR TO MONTH FOLLOWING
    ) AS `_c1`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
)
