SELECT COUNT(`x`) AS `EXPR$0`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    TABLESAMPLE (100 PERCENT) REPEATABLE (7)
)
