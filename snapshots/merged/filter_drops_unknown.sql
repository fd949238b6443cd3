SELECT `order_id`
FROM `spark_catalog`.`programs`.`orders`
WHERE `discount` < 0.3D
