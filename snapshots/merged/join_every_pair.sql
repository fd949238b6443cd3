SELECT `left_bag`.`y`, `right_bag`.`x` AS `x2`
FROM `spark_catalog`.`programs`.`left_bag`
INNER JOIN `spark_catalog`.`programs`.`right_bag`
WHERE `left_bag`.`x` = 2
