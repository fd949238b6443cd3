SELECT
    TIMESTAMP_MILLIS(`n`) AS `millis`,
    TIMESTAMP_SECONDS(`n`) AS `seconds`,
    TIMESTAMP_MICROS(-1) AS `micros`
FROM (
    SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
    FROM `spark_catalog`.`programs`.`readings`
)
