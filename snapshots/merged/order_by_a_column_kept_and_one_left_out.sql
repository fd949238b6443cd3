SELECT `x` AS `n`
FROM `spark_catalog`.`programs`.`left_bag`
ORDER BY `x` + CHAR_LENGTH(`y`) DESC, `n`
