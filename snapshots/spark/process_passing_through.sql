SELECT `x`, `y`, `EXPR$0`
FROM `passing`(
    `r` => TABLE(
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)
