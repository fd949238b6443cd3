SELECT `EXPR$0`
FROM `inferred_optional`(
    `left` => TABLE(
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    ),
    `right` => TABLE(
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`right_bag`
    )
)
