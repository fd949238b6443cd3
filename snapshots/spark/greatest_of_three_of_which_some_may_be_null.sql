SELECT DISTINCT `size`
FROM (
    SELECT GREATEST(`x`, 0, `x` * -1) AS `size`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)
