SELECT `gender`, `city`, MAX(`id`) AS `m`, GROUPING_ID(`city`, `gender`) AS `i`
FROM `spark_catalog`.`programs`.`customers`
GROUP BY GROUPING SETS ((`city`, `gender`), (`gender`), ())
