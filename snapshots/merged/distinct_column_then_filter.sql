SELECT DISTINCT `status`
FROM `spark_catalog`.`programs`.`orders`
WHERE `status` IS NOT NULL
