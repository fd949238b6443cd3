SELECT
    `order_id`,
    LAG(`order_id`, -1) OVER (ORDER BY `order_id`) AS `after`,
    LAG(`amount`, 0) OVER (ORDER BY `order_id`) AS `own`,
    LAG(`discount`, 1, CAST(NULL AS DOUBLE)) OVER (ORDER BY `order_id`) AS `before`
FROM `spark_catalog`.`programs`.`orders`
WHERE `order_id` <= 102
