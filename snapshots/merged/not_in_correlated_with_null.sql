SELECT `x`, `y`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `y` NOT IN (
    SELECT `y`
    FROM `spark_catalog`.`programs`.`right_bag`
    WHERE `x` = `left_bag`.`x`
)
