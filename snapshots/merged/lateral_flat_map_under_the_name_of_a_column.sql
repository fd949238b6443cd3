SELECT `lateral`.`TAGS_0` AS `TAGS`
FROM `spark_catalog`.`programs`.`products`
INNER JOIN LATERAL EXPLODE(`products`.`tags`) AS `lateral`(`TAGS_0`)
WHERE `lateral`.`TAGS_0` IS NOT NULL
