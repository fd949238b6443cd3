SELECT
    `tiny` + `small` AS `s`,
    `small` + `n` AS `i`,
    `n` + `big` AS `b`,
    CAST(`n` AS DOUBLE) + CAST(`ratio` AS DOUBLE) AS `f`,
    CAST(`big` AS DOUBLE) + `level` AS `d`,
    `fine` + CAST(`tiny` AS DECIMAL(3, 0)) AS `m`
FROM (
    SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
    FROM (
        SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
        FROM `spark_catalog`.`programs`.`readings`
    )
    WHERE `n` = 1
)
