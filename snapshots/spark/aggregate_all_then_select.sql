SELECT `n` + 1 AS `_c0`
FROM (
    SELECT COUNT(`a`) AS `n`
    FROM (
        SELECT `a`, `b`
        FROM `spark_catalog`.`programs`.`nothing`
    )
)
