SELECT `lateral`.`col`
FROM `spark_catalog`.`programs`.`products`
INNER JOIN LATERAL EXPLODE(`products`.`tags`) AS `lateral`(`col`)
