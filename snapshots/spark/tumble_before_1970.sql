SELECT `w`.`start` AS `ws`, `EXPR$1` AS `s`
FROM (
    SELECT WINDOW(`at`, '7 days') AS `w`, SUM(`n`) AS `EXPR$1`
    FROM (
        SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
        FROM `spark_catalog`.`programs`.`readings`
    )
    GROUP BY WINDOW(`at`, '7 days')
)
