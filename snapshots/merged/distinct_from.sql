SELECT `x` IS DISTINCT FROM 3 AS `d`, `y` IS NOT DISTINCT FROM CAST(NULL AS STRING) AS `n`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` IS NULL OR `x` = 3
