SELECT `EXPR$0`
FROM `typed_by_row`(
    `u` => (
        SELECT CAST(`x` AS BIGINT) AS `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
    ),
    `i` => CAST(2 AS BIGINT)
)
