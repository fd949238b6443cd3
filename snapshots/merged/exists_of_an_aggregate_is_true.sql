SELECT `x`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE EXISTS (
    SELECT MAX(`a`) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`nothing`
)
