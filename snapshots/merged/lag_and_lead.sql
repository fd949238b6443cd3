SELECT
    `order_id`,
    LAG(`amount`) OVER (ORDER BY `order_id`) AS `before`,
    LAG(`amount`, 2) OVER (ORDER BY `order_id`) AS `before_that`,
    LEAD(`amount`, 1, 0) OVER (ORDER BY `order_id`) AS `after`,
    LAG(`status`, 1, 'none') OVER (ORDER BY `order_id`) AS `status_before`,
    LEAD(`order_id`, 1, `customer_id`) OVER (ORDER BY `order_id`) AS `next`
FROM `spark_catalog`.`programs`.`orders`
