SELECT `name`, `gender`, `has_newsletter`, `id`, 0 AS `_c4`
FROM `spark_catalog`.`programs`.`customers`
WHERE `id` = 1
