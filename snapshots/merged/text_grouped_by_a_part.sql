SELECT RPAD(LEFT(`zip_code`, 2), 5, 'x') AS `_c0`, COUNT(`id`) AS `customers`
FROM `spark_catalog`.`programs`.`customers`
GROUP BY LEFT(`zip_code`, 2)
HAVING LEFT(`zip_code`, 2) IS NOT NULL
