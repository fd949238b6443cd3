SELECT 7 AS `seven`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    LIMIT 2
)
