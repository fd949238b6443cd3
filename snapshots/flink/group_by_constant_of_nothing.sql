SELECT `EXPR$1` AS `n`
FROM (
    SELECT `EXPR$0`, COUNT(`a`) AS `EXPR$1`
    FROM (
        SELECT `a`, `b`, 1 AS `EXPR$0`
        FROM (
            SELECT `a`, `b`
            FROM `spark_catalog`.`programs`.`nothing`
        )
    )
    GROUP BY `EXPR$0`
)
