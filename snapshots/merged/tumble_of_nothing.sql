WITH `nothing_computed` AS (
    SELECT `a`, `b`, CAST(`b` AS TIMESTAMP_NTZ) AS `ts`
    FROM `spark_catalog`.`programs`.`nothing`
)
SELECT WINDOW(`ts`, '10 minutes').`start` AS `ws`, COUNT(1) AS `n`
FROM `nothing_computed`
GROUP BY WINDOW(`ts`, '10 minutes')
