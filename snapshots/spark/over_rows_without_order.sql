SELECT COUNT(1) OVER (PARTITION BY `x` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS `_c0`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `x` = 1
)
