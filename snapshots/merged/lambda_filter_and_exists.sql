SELECT `product`, FILTER(`tags`, `tag` -> `tag` > 'c') AS `later`
FROM `spark_catalog`.`programs`.`products`
WHERE EXISTS(`tags`, `tag` -> `tag` LIKE '%e')
