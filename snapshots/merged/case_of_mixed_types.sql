SELECT
    CASE WHEN `order_id` = 100 THEN `order_id` ELSE `amount` END AS `m`,
    CASE WHEN `order_id` = 100 THEN 1 ELSE `discount` END AS `d`
FROM `spark_catalog`.`programs`.`orders`
WHERE `order_id` < 102
