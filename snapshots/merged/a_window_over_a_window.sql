WITH `left_bag_windowed` AS (
    SELECT `x`, ROW_NUMBER() OVER (ORDER BY `x`, `y`) AS `n`
    FROM `spark_catalog`.`programs`.`left_bag`
)
SELECT `x`, SUM(`n`) OVER (PARTITION BY `x`) AS `s`
FROM `left_bag_windowed`
