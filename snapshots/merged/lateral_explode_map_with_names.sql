SELECT `products`.`product`, `lateral`.`k``ey`
FROM `spark_catalog`.`programs`.`products`
INNER JOIN LATERAL EXPLODE_OUTER(`products`.`attributes`) AS `lateral`(`k``ey`, `VALUE`)
WHERE `lateral`.`VALUE` IS NULL
