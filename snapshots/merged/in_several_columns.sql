SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE (`x`, `y`) IN (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`right_bag`
)
