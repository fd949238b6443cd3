SELECT
    `order_id`,
    FIRST_VALUE(`amount`) OVER (ORDER BY `order_id`) AS `first`,
    LAST_VALUE(`status`) OVER (ORDER BY `order_id`) AS `last`,
    NTH_VALUE(`amount`, 2) OVER (
        ORDER BY `order_id`
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS `second`
FROM `spark_catalog`.`programs`.`orders`
