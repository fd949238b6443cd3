SELECT
    `order_id`,
    CAST(SUM(`amount`) OVER (ORDER BY `order_id` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS DECIMAL(20, 2)) AS `_c1`,
    COUNT(`amount`) OVER (ORDER BY `order_id` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS `_c2`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
)
