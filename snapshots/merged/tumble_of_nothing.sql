WITH `nothing_grouped` AS (
    SELECT WINDOW(CAST(`b` AS TIMESTAMP_NTZ), '10 minutes') AS `w`, COUNT(1) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`nothing`
    GROUP BY WINDOW(CAST(`b` AS TIMESTAMP_NTZ), '10 minutes')
)
SELECT `w`.`start` AS `ws`, `EXPR$1` AS `n`
FROM `nothing_grouped`
