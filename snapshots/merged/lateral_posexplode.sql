SELECT `products`.`product`, `lateral`.`p`, `lateral`.`tag`
FROM `spark_catalog`.`programs`.`products`
INNER JOIN LATERAL POSEXPLODE(`products`.`tags`) AS `lateral`(`p`, `tag`)
