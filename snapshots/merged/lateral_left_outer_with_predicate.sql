SELECT `products`.`product`, `lateral`.`tag`
FROM `spark_catalog`.`programs`.`products`
LEFT OUTER JOIN LATERAL EXPLODE(`products`.`tags`) AS `lateral`(`tag`)
ON `lateral`.`tag` = (
    SELECT MAX('a5')
    FROM `spark_catalog`.`programs`.`products`
)
