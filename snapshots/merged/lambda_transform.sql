SELECT `product`, TRANSFORM(`tags`, `tag` -> UPPER(`tag`)) AS `tags`
FROM `spark_catalog`.`programs`.`products`
