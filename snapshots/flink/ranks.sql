SELECT
    `x`,
    CAST(RANK() OVER (ORDER BY `x`) AS INT) AS `r`,
    CAST(DENSE_RANK() OVER (ORDER BY `x`) AS INT) AS `d`,
    PERCENT_RANK() OVER (ORDER BY `x`) AS `p`,
    CAST(NTILE(2) OVER (ORDER BY `x`) AS INT) AS `n`
FROM (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
)
