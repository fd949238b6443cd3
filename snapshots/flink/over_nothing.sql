SELECT
    SUM(CAST(`a` AS BIGINT)) OVER (PARTITION BY `b` ORDER BY `a`) AS `_c0`,
    CAST(RANK() OVER (PARTITION BY `b` ORDER BY `a`) AS INT) AS `_c1`
FROM (
    SELECT `a`, `b`
    FROM `spark_catalog`.`programs`.`nothing`
)
