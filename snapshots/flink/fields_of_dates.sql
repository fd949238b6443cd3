SELECT
    `n`,
    CAST(EXTRACT(WEEK FROM `day`) AS INT) AS `week`,
    CAST(EXTRACT(ISOYEAR FROM `day`) AS INT) AS `year`,
    CAST(EXTRACT(ISODOW FROM `day`) AS INT) AS `weekday`,
    CAST(EXTRACT(DOY FROM `day`) AS INT) AS `day`
FROM (
    SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
    FROM `spark_catalog`.`programs`.`readings`
)
