SELECT FLOOR(`ordered_at` TO MONTH) AS `month`, COUNT(1) AS `orders`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
)
GROUP BY FLOOR(`ordered_at` TO MONTH)
