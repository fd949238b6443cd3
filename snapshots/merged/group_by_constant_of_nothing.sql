WITH `nothing_computed` AS (
    SELECT `a`, `b`, 1 AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`nothing`
)
SELECT COUNT(`a`) AS `n`
FROM `nothing_computed`
GROUP BY `EXPR$0`
