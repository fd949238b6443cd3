SELECT `left_bag`.`x`, COUNT(`right_bag`.`y`) AS `n`
FROM `spark_catalog`.`programs`.`left_bag`
INNER ASOF JOIN `spark_catalog`.`programs`.`right_bag`
MATCH_CONDITION (`right_bag`.`x` <= `left_bag`.`x` + 1)
WHERE `right_bag`.`x` < 3
GROUP BY `left_bag`.`x`
