SELECT 1 AS `_c0`, 'x' AS `c`
FROM `spark_catalog`.`programs`.`left_bag`
