SELECT
    `x`,
    COALESCE(GREATEST(`x`, 2), `x`, 2) AS `at_least_2`,
    COALESCE(LEAST(CAST(`x` AS DOUBLE), 2.5E0), CAST(`x` AS DOUBLE), 2.5E0) AS `at_most`,
    COALESCE(GREATEST(`y`, 'aa'), `y`, 'aa') AS `text`,
    COALESCE(GREATEST(((CAST(NULL AS INT))), `x`), CAST(NULL AS INT), `x`) AS `x_again`
FROM (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
)
