SELECT
    COUNT(DISTINCT `x`) AS `c`,
    SUM(DISTINCT CAST(`x` AS BIGINT)) AS `s`,
    AVG(DISTINCT CAST(`x` AS DOUBLE)) AS `a`
FROM (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
)
