SELECT
    `order_id`,
    SUM(`amount`) FILTER (WHERE `status` = 'paid') OVER (ORDER BY `order_id`) AS `paid`,
    LAST_VALUE(`status`) FILTER (WHERE `order_id` <> 103) IGNORE NULLS OVER (ORDER BY `order_id`) AS `status`
FROM `spark_catalog`.`programs`.`orders`
