SELECT `y`, `EXPR$0`
FROM `many_states`(
    `r` => TABLE(
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    ) PARTITION BY (`y`)
)
