WITH `readings_grouped` AS (
    SELECT WINDOW(`at`, '7 days') AS `w`, SUM(`n`) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`readings`
    GROUP BY WINDOW(`at`, '7 days')
)
SELECT `w`.`start` AS `ws`, `EXPR$1` AS `s`
FROM `readings_grouped`
