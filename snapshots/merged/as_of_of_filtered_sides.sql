WITH `right_bag_filtered` AS (
    SELECT `x` AS `rx`, `y` AS `ry`
    FROM `spark_catalog`.`programs`.`right_bag`
    WHERE `x` < 3
)
SELECT `left_bag`.`x`, `right_bag`.`y` AS `sy`
FROM `spark_catalog`.`programs`.`left_bag`
LEFT OUTER ASOF JOIN `right_bag_filtered`
MATCH_CONDITION (`left_bag`.`x` >= `right_bag_filtered`.`rx`)
INNER JOIN `spark_catalog`.`programs`.`right_bag`
ON `right_bag`.`x` = `right_bag_filtered`.`rx`
WHERE `left_bag`.`x` > 1
