SELECT
    CAST(EXTRACT(YEAR FROM `at`) AS INT) AS `year`,
    CAST(EXTRACT(QUARTER FROM `at`) AS INT) AS `quarter`,
    CAST(EXTRACT(MONTH FROM `at`) AS INT) AS `month`,
    CAST(EXTRACT(WEEK FROM `at`) AS INT) AS `week`,
    CAST(EXTRACT(DAY FROM `at`) AS INT) AS `day`,
    CAST(EXTRACT(HOUR FROM `at`) AS INT) AS `hour`,
    CAST(EXTRACT(MINUTE FROM `at`) AS INT) AS `minute`
FROM (
    SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
    FROM (
        SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
        FROM `spark_catalog`.`programs`.`readings`
    )
    WHERE `n` = 1
)
