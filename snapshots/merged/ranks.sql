SELECT
    `x`,
    RANK() OVER (ORDER BY `x`) AS `r`,
    DENSE_RANK() OVER (ORDER BY `x`) AS `d`,
    PERCENT_RANK() OVER (ORDER BY `x`) AS `p`,
    NTILE(2) OVER (ORDER BY `x`) AS `n`
FROM `spark_catalog`.`programs`.`left_bag`
