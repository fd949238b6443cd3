SELECT
    `order_id`,
    COUNT(1) OVER (ORDER BY `amount` DESC RANGE BETWEEN CURRENT ROW AND 6.75 FOLLOWING) AS `_c1`
FROM `spark_catalog`.`programs`.`orders`
