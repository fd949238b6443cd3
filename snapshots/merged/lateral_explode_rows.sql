SELECT `products`.`product`, `lateral`.`s`.`width` AS `s$width`, `lateral`.`s`.`box` AS `s$box`
FROM `spark_catalog`.`programs`.`products`
INNER JOIN LATERAL EXPLODE(ARRAY(`products`.`size`)) AS `lateral`(`s`)
WHERE `lateral`.`s`.`width` > 1
