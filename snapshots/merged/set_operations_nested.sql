WITH `left_bag_intersection` AS (
    (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
        UNION ALL
        (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`right_bag`
            EXCEPT
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
    )
    INTERSECT
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
)
SELECT *
FROM `left_bag_intersection`
WHERE `x` < 3
