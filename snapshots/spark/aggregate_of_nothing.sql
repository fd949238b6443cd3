SELECT `EXPR$0` AS `n`, `EXPR$1` AS `s`, `EXPR$2` AS `z`
FROM (
    SELECT COUNT(`a`) AS `EXPR$0`, SUM(`a`) AS `EXPR$1`, COALESCE(SUM(`a`), 0L) AS `EXPR$2`
    FROM (
        SELECT `a`, `b`
        FROM `spark_catalog`.`programs`.`nothing`
    )
)
