SELECT `products`.`product`, `lateral`.`col`
FROM `spark_catalog`.`programs`.`products`
INNER JOIN LATERAL EXPLODE_OUTER(`products`.`tags`) AS `lateral`(`col`)
