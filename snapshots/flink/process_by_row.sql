SELECT `EXPR$0`
FROM `by_row`(
    `r` => (
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM `spark_catalog`.`programs`.`customers`
    ),
    `i` => CAST(7 AS BIGINT)
)
