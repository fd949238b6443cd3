SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
EXCEPT ALL
SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`right_bag`
