SELECT ROUND(`amount`, 1) AS `r`, FROM_JSON('{"a": 1}', 'STRUCT<`a`: BIGINT>').`a` AS `a`
FROM `spark_catalog`.`programs`.`orders`
WHERE `order_id` = 102
