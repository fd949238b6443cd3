SELECT
    COUNT(`a`) AS `n`,
    SUM(CAST(`a` AS BIGINT)) AS `s`,
    COALESCE(SUM(CAST(`a` AS BIGINT)), CAST(0 AS BIGINT)) AS `z`
FROM (
    SELECT `a`, `b`
    FROM `spark_catalog`.`programs`.`nothing`
)
