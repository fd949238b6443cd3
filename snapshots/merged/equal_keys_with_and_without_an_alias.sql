SELECT `y`, `y` AS `again`, `y` AS `third`, COUNT(1) AS `n`
FROM `spark_catalog`.`programs`.`left_bag`
GROUP BY `y`, `y`, `y`
