SELECT `id`, `name`
FROM `spark_catalog`.`programs`.`customers`
WHERE `id` < 3
