SELECT `y`, `again`, `third`, `EXPR$0` AS `n`
FROM (
    SELECT `y`, `y` AS `again`, `y` AS `third`, COUNT(1) AS `EXPR$0`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    GROUP BY `y`, `y`, `y`
)
