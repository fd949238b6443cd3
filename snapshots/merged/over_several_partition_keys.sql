SELECT
    `x`,
    ROW_NUMBER() OVER (PARTITION BY `x`, `y` ORDER BY `x`) AS `n`,
    COUNT(1) OVER (PARTITION BY `y` IS NULL, `x` > 2) AS `m`
FROM `spark_catalog`.`programs`.`right_bag`
