SELECT
    `n`,
    COUNT(1) OVER (ORDER BY `day` RANGE BETWEEN INTERVAL '9001' DAY PRECEDING AND CURRENT ROW) AS `_c1`
FROM (
    SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
    FROM `spark_catalog`.`programs`.`readings`
)
