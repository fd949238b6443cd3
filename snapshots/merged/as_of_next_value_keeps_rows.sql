SELECT `left_bag`.`x`, `right_bag`.`x` AS `rx`
FROM `spark_catalog`.`programs`.`left_bag`
LEFT OUTER ASOF JOIN `spark_catalog`.`programs`.`right_bag`
MATCH_CONDITION (`left_bag`.`x` < `right_bag`.`x`)
