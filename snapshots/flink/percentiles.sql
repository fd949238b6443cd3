SELECT PERCENTILE(`v`, 2.5E-1) AS `quarter`, PERCENTILE(`v`, ARRAY[5.0E-1, 1.0E0]) AS `both`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
    FROM `spark_catalog`.`programs`.`events`
)
