SELECT
    `order_id`,
    LAG(`amount`) OVER (ORDER BY `order_id`) AS `before`,
    LAG(`amount`, 2) OVER (ORDER BY `order_id`) AS `before_that`,
    LEAD(`amount`, 1, TRY_CAST(CAST(0 AS DECIMAL(10, 2)) AS DECIMAL(10, 2))) OVER (ORDER BY `order_id`) AS `after`,
    LAG(`status`, 1, TRY_CAST('none' AS STRING)) OVER (ORDER BY `order_id`) AS `status_before`,
    LEAD(`order_id`, 1, `customer_id`) OVER (ORDER BY `order_id`) AS `next`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
)
