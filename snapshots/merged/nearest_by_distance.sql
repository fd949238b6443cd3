SELECT DISTINCT `left_bag`.`x`, `left_bag`.`y`, `right_bag`.`x` AS `other`
FROM `spark_catalog`.`programs`.`left_bag`
INNER JOIN `spark_catalog`.`programs`.`right_bag`
EXACT NEAREST 1 BY DISTANCE ABS(`left_bag`.`x` - `right_bag`.`x`)
WHERE `left_bag`.`x` > 1
