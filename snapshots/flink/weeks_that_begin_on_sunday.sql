SELECT
    FLOOR(`day` TO WEEK) AS `first`,
    CEIL(`day` TO WEEK) AS `next`,
    FLOOR(`at` TO WEEK) AS `begins`,
    CEIL(`at` TO WEEK) AS `ends`
FROM (
    SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
    FROM `spark_catalog`.`programs`.`readings`
)
