SELECT
    COUNT(`a`) FILTER (WHERE `b` = 'x') AS `EXPR$0`,
    SUM(CAST(`a` AS BIGINT)) FILTER (WHERE `b` = 'x') AS `EXPR$1`
FROM (
    SELECT `a`, `b`
    FROM `spark_catalog`.`programs`.`nothing`
)
