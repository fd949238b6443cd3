SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
EXCEPT
SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`right_bag`
