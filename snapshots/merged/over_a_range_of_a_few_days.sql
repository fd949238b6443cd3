SELECT
    `id`,
    COUNT(1) OVER (ORDER BY `date_of_birth` RANGE BETWEEN INTERVAL '2' DAY PRECEDING AND CURRENT ROW) AS `_c1`
FROM `spark_catalog`.`programs`.`customers`
