WITH `nothing_distribute` AS (
    SELECT `a`, `b`
    FROM `spark_catalog`.`programs`.`nothing`
    DISTRIBUTE BY `a`
)
SELECT `a`, `b`
FROM `nothing_distribute`
SORT BY `b`
