SELECT `products`.`product`, `lateral`.`key`, `lateral`.`value`
FROM `spark_catalog`.`programs`.`products`
INNER JOIN LATERAL EXPLODE(`products`.`attributes`) AS `lateral`(`key`, `value`)
