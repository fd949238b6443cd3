SELECT `products`.`product`, `lateral`.`pos` IS NULL AS `none`, `lateral`.`value`
FROM `spark_catalog`.`programs`.`products`
INNER JOIN LATERAL POSEXPLODE_OUTER(`products`.`attributes`) AS `lateral`(`pos`, `key`, `value`)
