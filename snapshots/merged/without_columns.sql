SELECT `name`, `city`
FROM `spark_catalog`.`programs`.`customers`
WHERE `id` = 2
