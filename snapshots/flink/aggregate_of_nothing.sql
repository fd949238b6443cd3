SELECT `EXPR$0` AS `n`, `EXPR$1` AS `s`, `EXPR$2` AS `z`
FROM (
    SELECT
        COUNT(`a`) AS `EXPR$0`,
        SUM(CAST(`a` AS BIGINT)) AS `EXPR$1`,
        COALESCE(SUM(CAST(`a` AS BIGINT)), CAST(0 AS BIGINT)) AS `EXPR$2`
    FROM (
        SELECT `a`, `b`
        FROM `spark_catalog`.`programs`.`nothing`
    )
)
