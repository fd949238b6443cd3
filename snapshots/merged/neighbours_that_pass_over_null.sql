SELECT
    `order_id`,
    LAG(`amount`, 1) IGNORE NULLS OVER (ORDER BY `order_id`) AS `before`,
    NTH_VALUE(`discount`, 2) IGNORE NULLS OVER (ORDER BY `order_id`) AS `second`
FROM `spark_catalog`.`programs`.`orders`
