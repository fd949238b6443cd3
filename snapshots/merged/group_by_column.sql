SELECT `status`, SUM(`amount`) AS `total`, COUNT(1) AS `orders`
FROM `spark_catalog`.`programs`.`orders`
GROUP BY `status`
