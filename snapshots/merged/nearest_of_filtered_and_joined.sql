SELECT `left_bag`.`x`, COUNT(`right_bag_2`.`y`) AS `n`
FROM `spark_catalog`.`programs`.`left_bag`
INNER JOIN `spark_catalog`.`programs`.`right_bag`
EXACT NEAREST 1 BY DISTANCE `right_bag`.`x` - `left_bag`.`x`
INNER JOIN `spark_catalog`.`programs`.`right_bag` AS `right_bag_2`
ON `right_bag_2`.`x` = `right_bag`.`x`
WHERE `right_bag`.`x` < 3
GROUP BY `left_bag`.`x`
