SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
UNION ALL
SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`right_bag`
