SELECT `n`, `name`, `value`
FROM (
    SELECT `n`, `tiny`, `big`, `level`
    FROM (
        SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
        FROM (
            SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
            FROM `spark_catalog`.`programs`.`readings`
        )
        WHERE `n` = 1
    )
)
UNPIVOT INCLUDE NULLS (
    `value` FOR `name` IN (`tiny`, `big`, `level`)
)
