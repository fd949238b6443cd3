SELECT `x` + 1 AS `_c0`, CAST(`x` AS STRING) AS `x-STRING`, `x` * 2 AS `_c2`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` = 2
