SELECT SUBSTRING(`sku` FROM 1 FOR 1) AS `sku`, COUNT(`sku`) AS `n`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY SUBSTRING(`sku` FROM 1 FOR 1)
