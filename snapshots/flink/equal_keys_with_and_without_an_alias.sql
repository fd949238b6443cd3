SELECT `y`, `y` AS `again`, `y` AS `third`, COUNT(1) AS `n`
FROM (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
)
GROUP BY `y`, `y`, `y`
