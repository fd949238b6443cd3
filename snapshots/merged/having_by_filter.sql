SELECT `status`, SUM(`amount`) AS `s`
FROM `spark_catalog`.`programs`.`orders`
GROUP BY `status`
HAVING SUM(`amount`) > 100
