SELECT CAST(SUBSTRING(CAST(CAST(`at` AS TIMESTAMP(6)) AS STRING) FROM 18) AS DECIMAL(8, 6)) AS `s`
FROM (
    SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
    FROM (
        SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
        FROM `spark_catalog`.`programs`.`readings`
    )
    WHERE `n` < 3
)
