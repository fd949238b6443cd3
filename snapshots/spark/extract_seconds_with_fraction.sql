SELECT EXTRACT(SECOND FROM `at`) AS `s`
FROM (
    SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
    FROM (
        SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
        FROM `spark_catalog`.`programs`.`readings`
    )
    WHERE `n` < 3
)
