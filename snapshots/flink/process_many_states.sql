SELECT `y`, `EXPR$0`
FROM `many_states`(
    `r` => (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    ) PARTITION BY (`y`)
)
