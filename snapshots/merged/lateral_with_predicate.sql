SELECT `products`.`product`, `lateral`.`tag`
FROM `spark_catalog`.`programs`.`products`
INNER JOIN LATERAL EXPLODE(`products`.`tags`) AS `lateral`(`tag`)
WHERE `lateral`.`tag` <> 'fine'
    AND `products`.`product` <> 'pad'
