SELECT `order_id`
FROM `spark_catalog`.`programs`.`orders`
WHERE `order_id` > 100
    AND `order_id` < 104
