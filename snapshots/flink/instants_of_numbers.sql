SELECT
    TO_TIMESTAMP_LTZ(`n`, 3) AS `millis`,
    TO_TIMESTAMP_LTZ(`n`, 0) AS `seconds`,
    TO_TIMESTAMP_LTZ(((-1)), 6) AS `micros`
FROM (
    SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
    FROM `spark_catalog`.`programs`.`readings`
)
