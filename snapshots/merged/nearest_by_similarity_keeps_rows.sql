SELECT DISTINCT `left_bag`.`x`, `left_bag`.`y`, `right_bag`.`x` AS `other`
FROM `spark_catalog`.`programs`.`left_bag`
LEFT OUTER JOIN `spark_catalog`.`programs`.`right_bag`
APPROX NEAREST 2 BY SIMILARITY NULLIF(`left_bag`.`x`, 1) + `right_bag`.`x`
