SELECT `left_bag`.`x`, `right_bag`.`x` AS `rx`
FROM `spark_catalog`.`programs`.`left_bag`
INNER ASOF JOIN `spark_catalog`.`programs`.`right_bag`
MATCH_CONDITION (`left_bag`.`x` >= `right_bag`.`x`)
ON `left_bag`.`y` = `right_bag`.`y` OR `right_bag`.`y` IS NULL
