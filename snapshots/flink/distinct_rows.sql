SELECT DISTINCT `x`, `y`
FROM (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
)
