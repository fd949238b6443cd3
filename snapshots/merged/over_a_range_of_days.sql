SELECT
    `n`,
    COUNT(1) OVER (ORDER BY `day` RANGE BETWEEN INTERVAL '9001' DAY PRECEDING AND CURRENT ROW) AS `_c1`
FROM `spark_catalog`.`programs`.`readings`
