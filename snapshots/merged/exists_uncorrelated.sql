SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE EXISTS (
    SELECT *
    FROM `spark_catalog`.`programs`.`nothing`
) OR NOT EXISTS (
    SELECT *
    FROM `spark_catalog`.`programs`.`lines`
) OR `x` = 2
