SELECT
    `x`,
    GREATEST(`x`, 2) AS `at_least_2`,
    LEAST(`x`, 2.5D) AS `at_most`,
    GREATEST(`y`, 'aa') AS `text`,
    GREATEST(CAST(NULL AS INT), `x`) AS `x_again`
FROM `spark_catalog`.`programs`.`left_bag`
