SELECT `products`.`product`, `lateral`.`tag`
FROM `spark_catalog`.`programs`.`products`
INNER JOIN LATERAL EXPLODE_OUTER(`products`.`tags`) AS `lateral`(`tag`)
