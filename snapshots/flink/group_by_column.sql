SELECT `status`, CAST(SUM(`amount`) AS DECIMAL(20, 2)) AS `total`, COUNT(1) AS `orders`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
)
GROUP BY `status`
