SELECT `x`, LN(`x` - 2) AS `ln`, LOG(2, `x` - 1) AS `log2`, ROUND(LOG(`x`, 8), 2) AS `of_8`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` IS NOT NULL
