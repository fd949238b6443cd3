SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
INTERSECT
SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`right_bag`
