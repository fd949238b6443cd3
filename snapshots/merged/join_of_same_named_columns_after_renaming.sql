SELECT `left_bag`.`x`, `left_bag`.`y`, `right_bag`.`y` AS `y2`
FROM `spark_catalog`.`programs`.`left_bag`
INNER JOIN `spark_catalog`.`programs`.`right_bag`
ON `left_bag`.`x` = `right_bag`.`x`
WHERE `left_bag`.`y` IS NOT NULL
