SELECT
    `at` + INTERVAL '1' DAY AS `d`,
    `at` - INTERVAL '1' MONTH AS `m`,
    `at` + INTERVAL '90' MINUTE - INTERVAL '15.000' SECOND(2, 3) AS `h`,
    `day` + INTERVAL '1' YEAR AS `y`,
    CAST(`day` AS TIMESTAMP_LTZ(6)) + `n` * INTERVAL '1' DAY AS `n`,
    `instant` + INTERVAL '0.250' SECOND(2, 3) AS `i`
FROM (
    SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
    FROM (
        SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
        FROM `spark_catalog`.`programs`.`readings`
    )
    WHERE `n` = 1
)
