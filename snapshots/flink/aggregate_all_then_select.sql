SELECT `n` + 1 AS `_c0`
FROM (
    SELECT `EXPR$0` AS `n`
    FROM (
        SELECT COUNT(`a`) AS `EXPR$0`
        FROM (
            SELECT `a`, `b`
            FROM `spark_catalog`.`programs`.`nothing`
        )
    )
)
