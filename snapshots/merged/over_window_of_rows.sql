SELECT
    `order_id`,
    SUM(`amount`) OVER (ORDER BY `order_id` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS `_c1`,
    COUNT(`amount`) OVER (ORDER BY `order_id` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS `_c2`
FROM `spark_catalog`.`programs`.`orders`
