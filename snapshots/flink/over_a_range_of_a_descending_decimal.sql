SELECT
    `order_id`,
    COUNT(1) OVER (ORDER BY `amount` DESC RANGE BETWEEN CURRENT ROW AND 6.75 FOLLOWING) AS `_c1`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
)
