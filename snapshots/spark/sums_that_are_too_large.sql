SELECT TRY_SUM(`big`) AS `sum`, TRY_SUM(`n`) AS `fits`, TRY_AVG(`n`) AS `mean`
FROM (
    SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
    FROM (
        SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
        FROM `spark_catalog`.`programs`.`readings`
    )
    WHERE `n` = 1 OR `n` = 3
)
