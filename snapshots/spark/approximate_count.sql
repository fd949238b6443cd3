SELECT `k`, APPROX_COUNT_DISTINCT(`v`) AS `n`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
    FROM `spark_catalog`.`programs`.`events`
)
GROUP BY `k`
