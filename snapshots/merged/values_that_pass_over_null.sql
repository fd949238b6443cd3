SELECT
    `order_id`,
    LAST_VALUE(`amount`) IGNORE NULLS OVER (ORDER BY `order_id`) AS `last`,
    FIRST_VALUE(`status`) IGNORE NULLS OVER (ORDER BY `order_id` DESC) AS `first`
FROM `spark_catalog`.`programs`.`orders`
