SELECT `EXPR$0`
FROM `by_row`(
    `r` => (
        SELECT `x`, `y`, `EXPR$0`
        FROM (
            SELECT `x`, `y`, `EXPR$0`
            FROM `passing`(
                `r` => (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`left_bag`
                )
            )
        )
        WHERE `x` > 0
    ),
    `i` => CAST(1 AS BIGINT)
)
