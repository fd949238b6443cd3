SELECT `x`, 12 / COUNT(1) AS `share`, COUNT(`y`) AS `n`
FROM `spark_catalog`.`programs`.`left_bag`
GROUP BY `x`
HAVING 12 / COUNT(1) < 12
    AND COUNT(`y`) > 0
