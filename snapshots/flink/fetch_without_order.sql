SELECT `x`, `y`
FROM (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
)
FETCH NEXT 0 ROWS ONLY
