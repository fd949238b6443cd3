SELECT DISTINCT `left_bag`.`x`, `right_bag`.`x` AS `x2`
FROM `spark_catalog`.`programs`.`left_bag`
INNER JOIN `spark_catalog`.`programs`.`right_bag`
ON `left_bag`.`x` < `right_bag`.`x`
