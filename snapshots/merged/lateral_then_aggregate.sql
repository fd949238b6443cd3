SELECT `lateral`.`k`, COUNT(`products`.`product`) AS `n`, SUM(`lateral`.`v`) AS `s`
FROM `spark_catalog`.`programs`.`products`
INNER JOIN LATERAL EXPLODE(`products`.`attributes`) AS `lateral`(`k`, `v`)
GROUP BY `lateral`.`k`
