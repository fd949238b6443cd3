SELECT
    `tiny` + `small` AS `s`,
    `small` + `n` AS `i`,
    `n` + `big` AS `b`,
    `n` + `ratio` AS `f`,
    `big` + `level` AS `d`,
    `fine` + `tiny` AS `m`
FROM (
    SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
    FROM (
        SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
        FROM `spark_catalog`.`programs`.`readings`
    )
    WHERE `n` = 1
)
